/** A refusal. Handlers return it; code deeper down may throw it. Anything else thrown is a bug and answers 500. */
import type { ProblemBody } from '@millrace/protocol/api';

export interface ProblemOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly issues?: readonly { readonly path: string; readonly message: string }[];
  /** More members of the document (RFC 9457, extension members). */
  readonly members?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

const TITLES: Readonly<Record<number, string>> = {
  400: 'Bad request',
  401: 'Not logged in',
  403: 'Not allowed',
  404: 'Not found',
  405: 'Method not allowed',
  409: 'Conflict',
  410: 'Gone',
  412: 'Changed meanwhile',
  413: 'Too large',
  415: 'Unsupported media type',
  421: 'Misdirected request',
  422: 'Cannot be done',
  428: 'If-Match missing',
  429: 'Too many requests',
  500: 'Internal error',
  501: 'Not implemented',
  503: 'Not available now',
  507: 'No space left',
};

export class Problem extends Error {
  readonly status: number;
  readonly code: string;
  readonly options: ProblemOptions;

  /** `detail` is shown to people: what was tried, why it failed, what to do. Never a secret, never a stack. */
  constructor(status: number, code: string, detail: string, options: ProblemOptions = {}) {
    super(detail, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'Problem';
    this.status = status;
    this.code = code;
    this.options = options;
  }

  body(requestId: string): ProblemBody {
    const { issues, members } = this.options;
    return {
      ...members,
      type: 'about:blank',
      title: TITLES[this.status] ?? 'Error',
      status: this.status,
      code: this.code,
      detail: this.message,
      requestId,
      ...(issues && { issues: [...issues] }),
    };
  }
}

export const notFound = (what: string): Problem =>
  new Problem(404, 'not-found', `There is no such ${what}, or you may not see it.`);

export const retryLater = (status: 429 | 503, code: string, detail: string, seconds: number): Problem =>
  new Problem(status, code, detail, { headers: { 'retry-after': String(Math.max(1, Math.ceil(seconds))) } });
