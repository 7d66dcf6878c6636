import { GitCompareArrows, Lock } from 'lucide-react';
import { versionWords } from '../../text/strings/versions.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { runningVersion } from '../deploy/deployed-store.ts';
import { useDeployed, useEditor } from '../editor-context.tsx';
import { useShow } from './address.ts';
import styles from './version-banner.module.css';

const { banner: words } = versionWords;

/** Over a version: which it is, that it cannot be changed, and the ways on from it. */
export function VersionBanner() {
  const { showing } = useEditor();
  const show = useShow();
  const deployment = useDeployed((state) => state.deployment);
  if (showing.kind === 'draft') return null;
  const { number } = showing;
  const running = deployment == null ? undefined : runningVersion(deployment);
  const isNewer = running !== undefined && running !== number;
  return (
    <div className={styles.banner} role="status">
      <Icon of={Lock} size={14} />
      <span className={styles.text}>
        {isNewer || running === undefined
          ? words.other(number)
          : deployment?.desired === 'stopped'
            ? words.deployed(number)
            : words.runs(number)}
      </span>
      {isNewer && (
        <span className={styles.newer}>
          {words.newer(running)}
          <Button size="small" onClick={() => show({ version: running })}>
            {words.showNewer}
          </Button>
        </span>
      )}
      <Button
        size="small"
        icon={GitCompareArrows}
        onClick={() => show({ compare: { from: number, to: 'draft' } })}
      >
        {words.compare}
      </Button>
      <Button size="small" onClick={() => show({})}>
        {words.back}
      </Button>
    </div>
  );
}
