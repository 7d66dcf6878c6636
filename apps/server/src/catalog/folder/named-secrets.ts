/** Names of the secrets that a pipeline's settings ask for: what must be bound where it is imported. */
import { type Pipeline, secretNames } from '@millrace/graph';

export const namedSecrets = ({ nodes }: Pipeline): string[] =>
  [...new Set([...nodes.values()].flatMap(({ config }) => secretNames(config)))].sort();
