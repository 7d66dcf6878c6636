import { Copy, FileArchive, FilePlus2, type LucideIcon } from 'lucide-react';
import { useState } from 'react';
import { homeWords } from '../text/strings/home.ts';
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
      <EmptyState picture={<Mark size={40} />} title={homeWords.noPipelinesYet}>
        {homeWords.whoMayEditHereMakes}
      </EmptyState>
    );
  const toSamples = () => document.getElementById('samples')?.scrollIntoView({ behavior: 'smooth' });
  return (
    <section className={styles.empty} aria-label={homeWords.waysToBegin}>
      <header className={styles.head}>
        <Mark size={40} />
        <div>
          <h2>{homeWords.drawYourFirstPipeline}</h2>
          <p>{homeWords.dataFlows}</p>
        </div>
      </header>
      <div className={styles.ways}>
        <Way icon={FilePlus2} title={homeWords.startBlank} onClick={() => void create.run({})}>
          {homeWords.anEmptyCanvasAdd}
        </Way>
        <Way icon={Copy} title={homeWords.takeASample} onClick={toSamples}>
          {homeWords.eachRunsOnSampleData}
        </Way>
        <Way icon={FileArchive} title={homeWords.importAZip} onClick={() => setImporting(true)}>
          {homeWords.whatItHoldsIsShown}
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
