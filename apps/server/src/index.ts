export { type AccessChange, type AccessChanges, concerns } from './accounts/access-changes.ts';
export { linkUrl, makePasswordLink, makeSetupLink } from './accounts/links.ts';
export { type Actor, judge, may } from './http/actor.ts';
export type { Authenticate } from './http/create-app.ts';
export { ServeError } from './serve/serve-error.ts';
export {
  DEFAULT_HOST,
  DEFAULT_PORT,
  type ServeFlags,
  type ServeOptions,
  serveOptions,
} from './serve/serve-options.ts';
export { readServerFile, type ServerFile } from './serve/server-file.ts';
export { openServerLog, type ServerLog } from './serve/server-log.ts';
export { type RunningServer, startServer } from './serve/start-server.ts';
