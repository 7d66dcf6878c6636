/** `{ "secret": name }` in a connector's settings is the environment variable `MILLRACE_SECRET_<NAME>`. */
export function secretFrom(env: Readonly<Record<string, string | undefined>>, name: string): string {
  const variable = `MILLRACE_SECRET_${name.toUpperCase().replace(/[^A-Z0-9]/g, '_')}`;
  const value = env[variable];
  if (value !== undefined) return value;
  throw new Error(`The secret '${name}' is not set: give it as the environment variable ${variable}.`);
}
