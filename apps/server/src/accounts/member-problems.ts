import { Problem } from '../http/problem.ts';

export const lastOwner = (): Problem =>
  new Problem(409, 'last-owner', 'This is the last owner. Make somebody else an owner first.');
