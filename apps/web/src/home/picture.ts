/** The size of a node in the units that a picture's places are in: those of the canvas. */
import type { AnswerOf, RouteOf } from '@millrace/protocol/api';

export type Picture = AnswerOf<RouteOf<'pipelines.picture'>>;

export const NODE_WIDTH = 200;
export const NODE_HEIGHT = 64;
