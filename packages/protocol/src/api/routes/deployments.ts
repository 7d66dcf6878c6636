/** What runs: plans, deploys, start and stop. */
import { z } from 'zod';
import { DESIRED_STATES, OBSERVED_STATES } from '../../control/observed-state.ts';
import { pageOf, pageQuery } from '../page.ts';
import { defineRoutes } from '../route.ts';

/** UTC ms. */
const time = z.number();
const count = z.int().nonnegative();
const params = z.object({ pipeline: z.string().max(64) });
const version = z
  .int()
  .min(1)
  .max(2 ** 31 - 1);

export const deploymentSchema = z.object({
  pipeline: z.string(),
  version: version.meta({ description: 'What should run.' }),
  desired: z.enum(DESIRED_STATES),
  workers: z.int(),
  revision: z.int().meta({ description: 'Grows with every wish; the ETag.' }),
  changedAt: time,
  observed: z.object({
    state: z.enum(OBSERVED_STATES),
    reason: z.string().nullable(),
    since: time,
    retryAt: time.nullable().meta({ description: 'When it is tried again by itself.' }),
    version: z.int().nullable(),
    upToDate: z.boolean().meta({ description: 'Whether it follows the newest wish.' }),
  }),
  startedAt: time.nullable(),
  engine: z.enum(['ready', 'away']).meta({
    description: 'While the engine host is away, nothing runs and `observed` is what was last seen.',
  }),
});

const storedCounts = z.object({
  keys: count,
  mapEntries: count,
  timers: count,
  /** Committed and not finished: waiting in the node. */
  inFlight: count,
  /** False: there are at least so many. */
  complete: z.boolean(),
});

const nodePlan = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.enum(['kept', 'new', 'changed', 'removed', 'incompatible']),
  changes: z.array(z.string()),
  note: z.string().meta({ description: 'What it means for the node’s state.' }),
  losesState: z.boolean(),
  stored: storedCounts.nullable().meta({ description: 'What is stored of the node now.' }),
});

export const deployPlanSchema = z.object({
  from: z.int().nullable().meta({ description: 'The version that is active now.' }),
  to: z.int(),
  nodes: z.array(nodePlan),
  losing: z.array(z.string()).meta({ description: 'Nodes whose state would go.' }),
  trouble: z
    .string()
    .nullable()
    .meta({ description: 'Why its sources cannot be read now; it would not start before they can.' }),
});

const history = z.object({
  number: z.int(),
  version: z.int(),
  previous: z.int().nullable(),
  actor: z.string(),
  message: z.string(),
  dropped: z.array(z.string()),
  deployedAt: time,
});

const path = '/api/v1/pipelines/:pipeline/deployment';
const agreed = {
  dropState: z
    .array(z.string().max(64))
    .max(10_000)
    .default([])
    .meta({ description: 'Nodes whose state may go; the plan names those whose state would.' }),
  message: z.string().max(2_000).default(''),
};
const operate = { method: 'post', permission: 'run.operate', params, response: deploymentSchema } as const;

export const deploymentRoutes = defineRoutes({
  'deployments.list': {
    method: 'get',
    path: '/api/v1/deployments',
    permission: 'graph.read',
    summary: 'What should run, and what does.',
    response: z.object({ items: z.array(deploymentSchema) }),
  },
  'deployments.get': {
    method: 'get',
    path,
    permission: 'graph.read',
    summary: 'What should run of one pipeline, and what does.',
    params,
    response: deploymentSchema,
  },
  'deployments.history': {
    method: 'get',
    path: '/api/v1/pipelines/:pipeline/deploys',
    permission: 'graph.read',
    summary: 'Who deployed which version when, newest first.',
    params,
    query: z.object(pageQuery),
    response: pageOf(history),
  },
  'deployments.plan': {
    method: 'post',
    path: `${path}/plan`,
    permission: 'run.deploy',
    summary: 'What deploying a version would do to each node and its state. Changes nothing.',
    params,
    body: z.strictObject({ version }),
    response: deployPlanSchema,
  },
  'deployments.deploy': {
    method: 'post',
    path,
    permission: 'run.deploy',
    summary:
      'Run a version from here on. Where state would go that is not named in `dropState`, nothing happens and the answer is 409 with the plan.',
    params,
    body: z.strictObject({
      version,
      workers: z.int().min(1).max(64).optional().meta({ description: 'Default: as many as before, else 1.' }),
      paused: z.boolean().default(false),
      ...agreed,
    }),
    status: 202,
    response: deploymentSchema,
  },
  'deployments.rollback': {
    method: 'post',
    path: `${path}/rollback`,
    permission: 'run.deploy',
    summary: 'Run an earlier version again, as it was built: by default the one before the last deploy.',
    params,
    body: z.strictObject({ version: version.optional(), ...agreed }),
    status: 202,
    response: deploymentSchema,
  },
  'deployments.workers': {
    method: 'post',
    path: `${path}/workers`,
    permission: 'run.deploy',
    summary: 'Change how many workers share its keys, while it runs: keys move, and nothing stops.',
    params,
    body: z.strictObject({ workers: z.int().min(1).max(64) }),
    status: 202,
    response: deploymentSchema,
  },
  'deployments.start': { ...operate, path: `${path}/start`, summary: 'Start it where it was.' },
  'deployments.stop': {
    ...operate,
    path: `${path}/stop`,
    summary: 'Stop reading, finish what is in flight, stop. Timers and windows stay as state.',
  },
  'deployments.kill': {
    ...operate,
    path: `${path}/kill`,
    summary: 'Stop at once. What was in flight is taken up by the next start.',
  },
  'deployments.pause': {
    ...operate,
    path: `${path}/pause`,
    summary: 'Read nothing more; what is in flight is finished, workers stay.',
  },
  'deployments.resume': { ...operate, path: `${path}/resume`, summary: 'Go on reading.' },
});
