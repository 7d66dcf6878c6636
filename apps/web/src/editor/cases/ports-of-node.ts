/** Inputs and outputs of a node as they are drawn. Pure. */
import type { Pipeline } from '@millrace/graph';

export const inputsOf = ({ streams }: Pipeline, node: string): readonly string[] => [
  ...new Set([...streams.values()].flatMap(({ to }) => (to[0] === node ? [to[1]] : []))),
];

export const outputsOf = ({ streams }: Pipeline, node: string): readonly string[] => [
  ...new Set([...streams.values()].flatMap(({ from }) => (from[0] === node ? [from[1]] : []))),
];
