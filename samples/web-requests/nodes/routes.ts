import { input, map } from '@millrace/sdk';
import { routeOf } from '#lib/route-of';
import type { Inputs } from './streams';

/** What of a request is counted: its route, whether the server failed, and how long it took. */
export default map(input<Inputs['requests']>(), ({ method, path, status, ms }) => ({
  route: routeOf(method, path),
  failed: status >= 500,
  ms,
}));
