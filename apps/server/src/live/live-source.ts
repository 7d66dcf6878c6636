/** What the live part of the server needs of the engine host. */
import type { EngineHost } from '../supervisor/engine-host-supervisor.ts';

export type LiveSource = Pick<EngineHost, 'request' | 'listen' | 'tapTaken'>;
