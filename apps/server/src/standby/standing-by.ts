/**
 * What a server answers while another one leads: people who open a page are led there, programs are told who leads.
 * It holds no draft, no session and no pipeline, and reads nothing: whatever it showed could be old.
 */
import http from 'node:http';
import type { Site } from '../http/site.ts';

export interface StandingBy {
  readonly server: http.Server;
  /** `address`: of who leads; undefined while nobody does, as in the middle of a take-over. */
  leads(address: string | undefined): void;
}

const AGAIN_AFTER_S = 1;

/** `own`: the address people reach this server at; where both have one, as behind a balancer, nobody is sent on. */
export function standingBy(site: Site, own: string): StandingBy {
  let leader: string | undefined;
  const who = () => ({ role: 'stands-by', leader: leader ?? null });
  const server = http.createServer((request, response) => {
    const { method = 'GET', url = '/', headers } = request;
    if (!site.allowsHost(headers.host)) return refuse(response, 421, 'wrong-host', WRONG_HOST);
    if (url === '/healthz?standby=ok') return answer(response, 200, { status: 'ok', ...who() });
    const isPage = url !== '/healthz' && method === 'GET' && /\btext\/html\b/.test(headers.accept ?? '');
    // A path only: nothing in it can change whose address it is.
    if (isPage && leader !== undefined && leader !== own && url.startsWith('/'))
      return void response.writeHead(307, { ...PLAIN, location: `${leader}${url}` }).end();
    refuse(response, 503, 'standing-by', sentence(leader), who());
  });
  server.on('upgrade', (_request, socket) => {
    socket.end(
      `HTTP/1.1 503 Service Unavailable\r\nretry-after: ${AGAIN_AFTER_S}\r\nconnection: close\r\n\r\n`,
    );
  });
  return {
    server,
    leads(address) {
      leader = address;
    },
  };
}

const WRONG_HOST = 'This server does not answer to that host name. Use its address.';
const PLAIN = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };

const sentence = (leader: string | undefined): string =>
  leader === undefined
    ? 'This server stands by; nobody leads at this moment. Try again.'
    : `This server stands by: ${leader} leads. Ask there, or try again once this one has taken over.`;

/** As `Problem` does, for where there is no application yet. */
function refuse(
  response: http.ServerResponse,
  status: number,
  code: string,
  detail: string,
  members: object = {},
): void {
  const title = status === 503 ? 'Not available now' : 'Misdirected request';
  answer(response, status, { type: 'about:blank', title, status, code, detail, ...members });
}

function answer(response: http.ServerResponse, status: number, body: object): void {
  const again = status === 503 ? { 'retry-after': String(AGAIN_AFTER_S), connection: 'close' } : {};
  const type = status === 200 ? 'application/json' : 'application/problem+json';
  response.writeHead(status, { ...PLAIN, ...again, 'content-type': type });
  response.end(JSON.stringify(body));
}
