import { ApiError } from '../../api/api-error.ts';

/** Of a node that is deployed and has not run yet the engine knows nothing: nothing is stored of it. */
export async function orNone<T>(asked: Promise<T>, none: T): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ApiError && error.facts.status === 404) return none;
    throw error;
  }
}
