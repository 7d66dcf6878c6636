/** Parts that look like an id: counted together, or every user would be a route of its own. */
const ID = /^(\d+|[0-9a-f]{8,}|[0-9a-f-]{36})$/i;

/** `GET /users/17?tab=2` becomes `GET /users/:id`. */
export function routeOf(method: string, path: string): string {
  const [plain = '/'] = path.split(/[?#]/);
  const parts = plain.split('/').map((part) => (ID.test(part) ? ':id' : part));
  return `${method.toUpperCase()} ${parts.join('/')}`;
}
