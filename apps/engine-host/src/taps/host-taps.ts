/** Taps the server has open on this host's runs. A tap lives as long as the run it was opened on. */
import type { OpenTap, PipelineRun, TapBatch } from '@millrace/engine';
import type { ControlTapBatch, HostRequest, ToServer } from '@millrace/protocol/control';
import { TapOutbox } from './tap-outbox.ts';

export interface HostTaps {
  /** False: none of the streams is one of this run. A tap of this id that is open is replaced. */
  open(request: HostRequest<'tap-open'>, run: PipelineRun): boolean;
  close(tap: string): void;
  taken(tap: string): void;
}

interface Held {
  readonly outbox: TapOutbox;
  readonly tap: OpenTap;
}

export function hostTaps(send: (message: ToServer) => void): HostTaps {
  const held = new Map<string, Held>();
  const close = (tap: string) => {
    held.get(tap)?.tap.close();
    held.delete(tap);
  };
  return {
    close,
    taken: (tap) => held.get(tap)?.outbox.taken(),
    open({ tap, streams, limits }, run) {
      close(tap);
      const outbox = new TapOutbox((message) =>
        send({ type: 'tap', tap, batches: [...message.batches], dropped: message.dropped }),
      );
      const opened = run.tap(streams, limits, (batch) => outbox.put(told(batch)));
      if (opened === undefined) return false;
      const mine: Held = { outbox, tap: opened };
      held.set(tap, mine);
      void run.finished.then(() => {
        if (held.get(tap) !== mine) return;
        held.delete(tap);
        send({ type: 'tap-ended', tap });
      });
      return true;
    },
  };
}

function told({ streamId, seen, records, earlier }: TapBatch): ControlTapBatch {
  return { stream: streamId, seen, records: records.map(({ ...record }) => record), earlier };
}
