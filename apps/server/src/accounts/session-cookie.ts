/** The cookie of a session. */
import { SESSION_LONGEST_MS } from '@millrace/store/accounts';
import type { Response } from 'express';

export interface SessionCookie {
  read(header: string | undefined): string | undefined;
  write(response: Response, token: string): void;
  clear(response: Response): void;
}

/** Two servers on one host share its cookies, whatever their ports: hence the instance's id in the name. */
export function sessionCookie(instance: string, secure: boolean): SessionCookie {
  const name = `millrace_${instance}`;
  const options = { httpOnly: true, sameSite: 'lax', secure, path: '/' } as const;
  return {
    read: (header) => readCookie(header, name),
    write: (response, token) => void response.cookie(name, token, { ...options, maxAge: SESSION_LONGEST_MS }),
    clear: (response) => void response.clearCookie(name, options),
  };
}

function readCookie(header: string | undefined, name: string): string | undefined {
  for (const part of header?.split(';') ?? []) {
    const at = part.indexOf('=');
    if (at > 0 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim();
  }
  return undefined;
}
