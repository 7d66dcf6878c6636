/** The end of every failed request: a problem document. What went wrong inside is logged, never sent. */
import { StoreError } from '@millrace/store';
import type { ErrorRequestHandler, RequestHandler, Response } from 'express';
import { Problem, retryLater } from './problem.ts';
import { requestId, requestLog } from './request-context.ts';

export const noSuchRoute: RequestHandler = (request) => {
  throw new Problem(404, 'no-such-route', `There is nothing at ${request.method} ${request.path}.`);
};

export const answerProblem: ErrorRequestHandler = (error, _request, response, _next) => {
  const problem = toProblem(error);
  if (problem.status >= 500) requestLog(response).error({ err: error }, 'request failed');
  if (response.headersSent) return void response.destroy();
  sendProblem(response, problem);
};

function sendProblem(response: Response, problem: Problem): void {
  for (const [name, value] of Object.entries(problem.options.headers ?? {})) response.setHeader(name, value);
  response.status(problem.status).type('application/problem+json');
  response.send(JSON.stringify(problem.body(requestId(response))));
}

function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  // Nothing of it took effect; who asks again meets whoever leads now.
  if (error instanceof StoreError && error.code === 'taken-over')
    return retryLater(503, 'standing-by', error.message, 1);
  // What Express itself refuses, such as a malformed escape in the path.
  const { status } = error as { status?: unknown };
  if (typeof status === 'number' && status >= 400 && status < 500)
    return new Problem(status, 'bad-request', 'The request could not be read.');
  return new Problem(500, 'internal', 'Something failed inside the server. Its log has the request’s id.');
}
