/**
 * Deno hands out its `node:` modules without any permission, and some of them reach the standard streams, on
 * which frames travel. An import map sends each to a scheme that does not exist. Tried: `null` as the address
 * also works, but writes a warning per name to stderr.
 */
import { builtinModules } from 'node:module';

const DENO_NAMES =
  `_http_agent _http_client _http_common _http_incoming _http_outgoing _http_server _stream_duplex
_stream_passthrough _stream_readable _stream_transform _stream_wrap _stream_writable _tls_common _tls_wrap assert
assert/strict async_hooks buffer child_process cluster console constants crypto dgram diagnostics_channel dns
dns/promises domain events fs fs/promises http http2 https inspector inspector/promises module net os path path/posix
path/win32 perf_hooks process punycode querystring readline readline/promises repl sea sqlite stream stream/consumers
stream/promises stream/web string_decoder sys test test/reporters timers timers/promises tls trace_events tty url util
util/types v8 vm wasi worker_threads zlib`.split(/\s+/);

export const CLOSED_MODULES: readonly string[] = [
  ...new Set(
    [...DENO_NAMES, ...builtinModules].map((name) => (name.startsWith('node:') ? name : `node:${name}`)),
  ),
];

export function closedImportMap(): string {
  const imports = Object.fromEntries(CLOSED_MODULES.map((name) => [name, 'closed:']));
  return `data:application/json,${encodeURIComponent(JSON.stringify({ imports }))}`;
}
