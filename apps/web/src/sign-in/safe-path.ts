/** Where to go after signing in: only ever a path of this page. */
export function safePath(wanted: string | null): string {
  if (!wanted?.startsWith('/') || /^\/[/\\]/.test(wanted) || wanted.startsWith('/sign-in')) return '/';
  return wanted;
}
