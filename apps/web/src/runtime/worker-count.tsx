import { Minus, Plus } from 'lucide-react';
import { useState } from 'react';
import { call } from '../api/call.ts';
import { useMay } from '../shell/session-store.ts';
import { runtimeWords as words } from '../text/strings/runtime.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { toast } from '../ui/toast-store.ts';
import styles from './runtime-page.module.css';
import type { Runtime } from './slowest-watermark.ts';

const MOST = 64;

export interface WorkerCountProps {
  readonly pipeline: string;
  readonly runtime: Pick<Runtime, 'workers' | 'goal'>;
}

/** How many workers there are, or will be: one more or less while the pipeline runs, and its keys move by themselves. */
export function WorkerCount({ pipeline, runtime }: WorkerCountProps) {
  const mayDeploy = useMay('run.deploy');
  const [isAsking, setAsking] = useState(false);
  const now = runtime.workers.length;
  const wanted = runtime.goal ?? now;
  const change = async (workers: number): Promise<void> => {
    setAsking(true);
    try {
      await call('deployments.workers', { params: { pipeline }, body: { workers } });
      toast('ok', words.workersWanted(workers));
    } catch (error) {
      toast('error', (error as Error).message);
    }
    setAsking(false);
  };
  return (
    <div className={styles.count}>
      {mayDeploy && (
        <IconButton
          icon={Minus}
          label={words.oneWorkerLess}
          size="small"
          disabled={isAsking || wanted <= 1}
          onClick={() => void change(wanted - 1)}
        />
      )}
      <span>{wanted === now ? now : words.onItsWay(now, wanted)}</span>
      {mayDeploy && (
        <IconButton
          icon={Plus}
          label={words.oneWorkerMore}
          size="small"
          disabled={isAsking || wanted >= MOST}
          onClick={() => void change(wanted + 1)}
        />
      )}
    </div>
  );
}
