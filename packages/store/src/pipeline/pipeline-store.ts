/** `PipelineStore` over Postgres; each part is a file beside this one. */
import type { PipelineStore } from '@millrace/engine';
import { commit } from './commit.ts';
import { deadLetters } from './dead-letters.ts';
import { fold } from './fold.ts';
import { claimHost, claimWorker } from './leases.ts';
import { bundlesAfter, lastPosition, releaseLog } from './log.ts';
import type { OpenedPipeline } from './opened.ts';
import { foldedThrough, pageDirectory, readPages, undelivered } from './pages.ts';
import { chosenLetters, newestLetter, redrive } from './redrive.ts';
import { reset } from './reset.ts';
import { versions } from './versions.ts';

export function pipelineStore(pipeline: OpenedPipeline): PipelineStore {
  return {
    claimHost: () => claimHost(pipeline),
    claimWorker: (slot) => claimWorker(pipeline, slot),
    commit: (bundles) => commit(pipeline, bundles),
    bundlesAfter: (after) => bundlesAfter(pipeline, after),
    lastPosition: () => lastPosition(pipeline),
    foldedThrough: () => foldedThrough(pipeline),
    pageDirectory: () => pageDirectory(pipeline),
    readPages: (space, starts) => readPages(pipeline, space, starts),
    fold: (hostSequencer, batch) => fold(pipeline, hostSequencer, batch),
    undelivered: () => undelivered(pipeline),
    releaseLog: (hostSequencer, through) => releaseLog(pipeline, hostSequencer, through),
    versions: versions(pipeline),
    deadLetters: (limit) => deadLetters(pipeline, limit),
    chosenLetters: (choice, limit) => chosenLetters(pipeline, choice, limit),
    newestLetter: () => newestLetter(pipeline),
    redrive: (what) => redrive(pipeline, what),
    reset: (hostSequencer) => reset(pipeline, hostSequencer),
  };
}
