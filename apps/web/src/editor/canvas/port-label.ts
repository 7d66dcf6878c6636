/** Where a port's name stands. */
import type { PortPlace } from './geometry.ts';

/** Names that the side of the node tells already. */
const SAY_NOTHING: ReadonlySet<string> = new Set(['in', 'out']);
/** From there on a port has a line of the node to itself: above it stand name, words and rates. */
const OWN_LINE = 56;

export const isPlainPort = (name: string): boolean => SAY_NOTHING.has(name);

/** Inside, beside its port and always there; else outside, while one points at the node. */
export const isLabelInside = ({ y, isNew }: PortPlace): boolean => !isNew && y >= OWN_LINE;
