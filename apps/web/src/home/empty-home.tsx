import { Copy, FileArchive, FilePlus2, type LucideIcon } from 'lucide-react';
import { useState } from 'react';
import { EmptyState } from '../ui/empty-state.tsx';
import { Icon } from '../ui/icon.tsx';
import { Mark } from '../ui/mark.tsx';
import styles from './empty-home.module.css';
import { ImportDialog } from './import-dialog.tsx';
import { useCreate } from './use-create.ts';

/** Nobody has made a pipeline here: three ways in. */
export function EmptyHome({ mayWrite }: { readonly mayWrite: boolean }) {
  const create = useCreate();
  const [isImporting, setImporting] = useState(false);
  if (!mayWrite)
    return (
      <EmptyState picture={<Mark size={40} />} title="No pipelines yet">
        Who may edit here makes the first one; you will see it run.
      </EmptyState>
    );
  const toSamples = () => document.getElementById('samples')?.scrollIntoView({ behavior: 'smooth' });
  return (
    <section className={styles.empty} aria-label="Ways to begin">
      <Mark size={40} />
      <h2>Draw your first pipeline</h2>
      <p>Data flows in from the left, is worked on, and flows out at the right.</p>
      <div className={styles.ways}>
        <Way icon={FilePlus2} title="Start blank" onClick={() => void create.run({})}>
          An empty canvas: add a source and go on from there.
        </Way>
        <Way icon={Copy} title="Take a sample" onClick={toSamples}>
          Each runs on sample data; make one yours and change it.
        </Way>
        <Way icon={FileArchive} title="Import a zip" onClick={() => setImporting(true)}>
          What it holds is shown before anything is made.
        </Way>
      </div>
      <ImportDialog open={isImporting} onClose={() => setImporting(false)} />
    </section>
  );
}

interface WayProps {
  readonly icon: LucideIcon;
  readonly title: string;
  readonly onClick: () => void;
  readonly children: string;
}

const Way = ({ icon, title, onClick, children }: WayProps) => (
  <button type="button" className={styles.way} onClick={onClick}>
    <Icon of={icon} />
    <span>
      <strong>{title}</strong>
      <span className={styles.about}>{children}</span>
    </span>
  </button>
);
