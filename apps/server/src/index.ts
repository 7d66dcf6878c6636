export { type Actor, judge, may } from './http/actor.ts';
export type { Authenticate } from './http/create-app.ts';
