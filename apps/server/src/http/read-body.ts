/** The JSON body of one route, limited to what the table allows. */
import { DEFAULT_MAX_BODY, type RouteSpec } from '@millrace/protocol/api';
import express, { type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { Problem } from './problem.ts';

export function readBody(spec: RouteSpec): RequestHandler {
  if (spec.input === 'stream' || !spec.body) return (_request, _response, next) => next();
  const limit = spec.maxBody ?? DEFAULT_MAX_BODY;
  const parse = express.json({ limit, type: 'application/json' });
  return (request: Request, response: Response, next: NextFunction) => {
    if (!request.is('application/json')) {
      if (hasBody(request)) throw new Problem(415, 'not-json', 'The body must be application/json.');
      request.body = {};
      return next();
    }
    parse(request, response, (error?: unknown) => next(error && bodyProblem(error, limit)));
  };
}

const hasBody = ({ headers }: Request): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

function bodyProblem(error: unknown, limit: number): unknown {
  const { type, status } = error as { type?: string; status?: number };
  if (type === 'entity.too.large') return tooLarge(limit);
  if (type === 'entity.parse.failed') return new Problem(400, 'bad-json', 'The body is no JSON object.');
  if (status === 415)
    return new Problem(415, 'unsupported-encoding', 'The body’s encoding is not supported.');
  if (status !== undefined && status < 500)
    return new Problem(400, 'bad-body', 'The body could not be read.');
  return error;
}

export const tooLarge = (limit: number): Problem =>
  new Problem(413, 'too-large', `The body is larger than ${limit.toLocaleString('en')} bytes.`, {
    members: { limit },
  });
