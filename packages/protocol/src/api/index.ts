export { DOCUMENT_PART, MAX_HISTORY, type Peer, type PresenceState } from './document-events.ts';
export { defineEvents, type EventSpec, type EventTable } from './event-spec.ts';
export {
  type ClientEvent,
  EVENTS,
  type EventAnswer,
  type EventName,
  type EventPayload,
  eventNames,
  eventSpec,
  type ServerEvent,
  SOCKET_PROTOCOL,
  type TapRecordShown,
} from './events.ts';
export { PASSWORD_LENGTH } from './fields.ts';
export type { ShownLogLine } from './log-events.ts';
export { MAX_PAGE, pageOf, pageQuery } from './page.ts';
export {
  PERMISSIONS,
  type Permission,
  ROLE_PERMISSIONS,
  ROLES,
  type Role,
  SCOPES,
  type Scope,
  scopesOf,
} from './permissions.ts';
export { type ProblemBody, problemSchema } from './problem.ts';
export {
  type Access,
  type AnswerOf,
  type BodyOf,
  DEFAULT_MAX_BODY,
  type Method,
  type ParamsOf,
  type QueryOf,
  type RouteSpec,
  type SentBodyOf,
} from './route.ts';
export { allowedHost } from './routes/access.ts';
export { type CaseReportShown, caseReport } from './routes/cases.ts';
export { MAX_FILE_BYTES } from './routes/files.ts';
export { type IngestAnswer, MAX_INGEST_BYTES } from './routes/ingest.ts';
export { MAX_SECRET_BYTES, secretName } from './routes/secrets.ts';
export { ROUTES, type RouteId, type RouteOf, routeIds, routeSpec } from './routes.ts';
export {
  decodeView,
  encodeView,
  type View,
  type ViewNode,
  type ViewSource,
  type ViewStream,
  type ViewTable,
  viewTable,
} from './view-frame.ts';
