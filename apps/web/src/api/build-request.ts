/** A request as the table of routes wants it. Pure. */
import { type RouteId, routeSpec } from '@millrace/protocol/api';

export interface RequestParts {
  readonly params?: Readonly<Record<string, unknown>> | undefined;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  readonly body?: unknown;
  readonly stream?: Blob | undefined;
  /** The tag of the version that is edited, with or without quotes. */
  readonly ifMatch?: string | number | undefined;
}

export interface BuiltRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Blob | undefined;
}

export function buildRequest(id: RouteId, parts: RequestParts): BuiltRequest {
  const spec = routeSpec(id);
  const headers: Record<string, string> = {};
  if (parts.ifMatch !== undefined) headers['If-Match'] = quoted(parts.ifMatch);
  if (parts.stream) headers['Content-Type'] = 'application/octet-stream';
  else if (spec.body) headers['Content-Type'] = 'application/json';
  return {
    url: path(spec.path, parts.params ?? {}) + search(parts.query ?? {}),
    method: spec.method.toUpperCase(),
    headers,
    body: parts.stream ?? (spec.body ? JSON.stringify(parts.body ?? {}) : undefined),
  };
}

/** `*name` takes several parts of a path. */
function path(template: string, params: Readonly<Record<string, unknown>>): string {
  return template.replace(/[:*](\w+)/g, (_all, name: string) => {
    const value = params[name];
    if (value === undefined) throw new Error(`no ${name} given for ${template}`);
    return (Array.isArray(value) ? value : [value]).map((part) => encodeURIComponent(String(part))).join('/');
  });
}

function search(query: Readonly<Record<string, unknown>>): string {
  const asked = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    for (const each of Array.isArray(value) ? value : [value])
      if (each !== undefined) asked.append(name, String(each));
  return asked.size > 0 ? `?${asked}` : '';
}

const quoted = (tag: string | number): string => (String(tag).startsWith('"') ? String(tag) : `"${tag}"`);
