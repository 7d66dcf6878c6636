/** A refusal of the server, or that it could not be reached, in words for people. */

import type { ProblemBody } from '@millrace/protocol/api';
import { apiWords } from '../text/strings/api.ts';

export interface ApiErrorFacts {
  /** 0: there was no answer. */
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly issues?: ProblemBody['issues'];
  readonly requestId?: string | undefined;
  readonly retryAfterMs?: number | undefined;
  /** The whole problem: some refusals carry more, such as a plan. */
  readonly body?: ProblemBody | undefined;
}

export class ApiError extends Error {
  readonly facts: ApiErrorFacts;

  constructor(facts: ApiErrorFacts, cause?: unknown) {
    super(facts.detail, { cause });
    this.name = 'ApiError';
    this.facts = facts;
  }

  get code(): string {
    return this.facts.code;
  }

  /** What the server says of one field of the body. */
  issueAt(path: string): string | undefined {
    return this.facts.issues?.find((issue) => issue.path === path)?.message;
  }
}

/** What to show of anything that was thrown. */
export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : apiWords.unexpected(String(error));

/** Of what a person called off. */
export const isCancelled = (error: unknown): boolean =>
  error instanceof DOMException && error.name === 'AbortError';

export async function readProblem(response: Response): Promise<ApiError> {
  const body = await response.json().catch(() => undefined);
  const problem = isProblem(body) ? body : undefined;
  const retryAfter = Number(response.headers.get('retry-after'));
  return new ApiError({
    status: response.status,
    code: problem?.code ?? 'no-problem-document',
    detail: problem?.detail ?? problem?.title ?? apiWords.answeredWithoutWhy(response.status),
    issues: problem?.issues,
    requestId: problem?.requestId,
    retryAfterMs: retryAfter > 0 ? retryAfter * 1000 : undefined,
    body: problem,
  });
}

const isProblem = (body: unknown): body is ProblemBody =>
  typeof body === 'object' && body !== null && 'code' in body && typeof body.code === 'string';
