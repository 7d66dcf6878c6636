/** Versions: the list of them, and any two side by side, on the canvas and line by line. */
import { ArrowLeftRight, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { compareWords as words } from '../../text/strings/compare.ts';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Select } from '../../ui/select.tsx';
import { CompareCanvases } from '../canvas/compare/compare-canvas.tsx';
import { runningVersion } from '../deploy/deployed-store.ts';
import { useDeployed, useEditor } from '../editor-context.tsx';
import { type Side, useShow } from './address.ts';
import { ChangeList } from './compare/change-list.tsx';
import { type Compared, useComparison } from './compare/use-comparison.ts';
import { useVersions, type Version } from './compare/use-versions.ts';
import { VersionActions } from './compare/version-actions.tsx';
import { VersionList } from './compare/version-list.tsx';
import styles from './compare-view.module.css';

export interface CompareViewProps {
  readonly from: Side;
  readonly to: Side;
}

export function CompareView({ from, to }: CompareViewProps) {
  const { pipeline } = useEditor();
  const show = useShow();
  const deployment = useDeployed((state) => state.deployment);
  const running = deployment == null ? undefined : runningVersion(deployment);
  const versions = useVersions(pipeline, deployment?.version);
  const compared = useComparison(from, to);
  // Nothing runs: what one asks for is what has changed since the newest version.
  const newest = versions.items?.[0]?.number;
  useEffect(() => {
    if (from === 'draft' && to === 'draft' && newest !== undefined)
      show({ compare: { from: newest, to } }, { replace: true });
  }, [from, to, newest, show]);
  const choose = (sides: Partial<CompareViewProps>): void =>
    show({ compare: { from, to, ...sides } }, { replace: true });
  return (
    <div className={styles.view}>
      <aside className={styles.side} aria-label={words.title}>
        <header className={styles.sideHead}>
          <h2>{words.title}</h2>
        </header>
        <VersionList
          versions={versions}
          chosen={from}
          running={running}
          onChoose={(number) => choose({ from: number })}
        />
      </aside>
      <div className={styles.main}>
        <header className={styles.head}>
          <SideSelect
            label={words.from}
            value={from}
            versions={versions.items ?? []}
            onChange={(side) => choose({ from: side })}
          />
          <IconButton
            icon={ArrowLeftRight}
            label={words.swap}
            onClick={() => choose({ from: to, to: from })}
          />
          <SideSelect
            label={words.to}
            value={to}
            versions={versions.items ?? []}
            onChange={(side) => choose({ to: side })}
          />
          <span className={styles.space} />
          {from !== 'draft' && <VersionActions key={from} number={from} running={running} />}
          <Button size="small" icon={X} onClick={() => show({})}>
            {words.close}
          </Button>
        </header>
        <LoadState of={compared} lines={6}>
          {(value) => <Sides {...value} from={from} to={to} />}
        </LoadState>
        {versions.error && <Notice tone="error">{versions.error}</Notice>}
      </div>
    </div>
  );
}

function Sides({ before, after, comparison, from, to }: Compared & CompareViewProps) {
  const [picked, setPicked] = useState<string>();
  const titles = { before: nameOf(from), after: nameOf(to) };
  return (
    <div className={styles.body}>
      <div className={styles.canvases}>
        <CompareCanvases comparison={comparison} titles={titles} picked={picked} onPick={setPicked} />
      </div>
      <div className={styles.details}>
        <ChangeList
          before={before}
          after={after}
          comparison={comparison}
          picked={picked}
          onPick={setPicked}
        />
      </div>
    </div>
  );
}

interface SideSelectProps {
  readonly label: string;
  readonly value: Side;
  readonly versions: readonly Version[];
  readonly onChange: (side: Side) => void;
}

function SideSelect({ label, value, versions, onChange }: SideSelectProps) {
  const numbers = new Set(versions.map(({ number }) => number));
  // One that was asked for by address may lie on a later page.
  if (value !== 'draft') numbers.add(value);
  const options = [
    { value: 'draft', label: words.draft },
    ...[...numbers]
      .sort((a, b) => b - a)
      .map((number) => ({ value: String(number), label: words.version(number) })),
  ];
  return (
    <span className={styles.select}>
      <span aria-hidden>{label}</span>
      <Select
        label={label}
        value={String(value)}
        options={options}
        onChange={(next) => onChange(next === 'draft' ? next : Number(next))}
      />
    </span>
  );
}

const nameOf = (side: Side): string => (side === 'draft' ? words.draft : words.version(side));
