/** What a pipeline should do, as a person asked, and what it does, as its engine host saw. */
import { z } from 'zod';

export const DESIRED_STATES = ['running', 'paused', 'stopped'] as const;
export type DesiredState = (typeof DESIRED_STATES)[number];

/**
 * `redriving`: it rests, but for dead letters that are delivered again. `ended`: every input ended and all of it is processed. `failed` has a reason; with `retryAt` it is started again
 * by itself, without it somebody must act.
 */
export const OBSERVED_STATES = [
  'starting',
  'running',
  'paused',
  'draining',
  'redriving',
  'stopped',
  'ended',
  'failed',
] as const;
export type ObservedState = (typeof OBSERVED_STATES)[number];

export const observation = z.object({
  pipeline: z.string(),
  state: z.enum(OBSERVED_STATES),
  /** For people: why it failed, or what a running one waits for. */
  reason: z.string().optional(),
  /** Wall time in ms since which it is in this state. */
  since: z.number(),
  retryAt: z.number().optional(),
  /** The version that runs, or ran last. */
  version: z.number().int().optional(),
  /** Of the deployment's row that this follows. */
  revision: z.number().int(),
});
export type Observation = z.infer<typeof observation>;
