import { versionWords } from '../../text/strings/versions.ts';
import { useStandings } from '../editor-context.tsx';
import styles from './standing-mark.module.css';

const { standing: words } = versionWords;

/** On a node of the draft: that it is not deployed, or another than the one that runs. */
export function StandingMark({ id }: { readonly id: string }) {
  const standing = useStandings(({ standings }) => standings?.nodes.get(id));
  const version = useStandings(({ standings }) => standings?.version) ?? 0;
  if (standing === undefined || standing.kind === 'same') return null;
  if (standing.kind === 'new')
    return (
      <span className={styles.new} title={words.newHint(version)}>
        {words.new}
      </span>
    );
  const text = words.changed(version, standing.aspects);
  return (
    <span className={styles.changed} title={text}>
      <span className={styles.heard}>{text}</span>
    </span>
  );
}
