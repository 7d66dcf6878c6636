import { compareWords as words } from '../../../text/strings/compare.ts';
import styles from './difference-view.module.css';
import { FileDiff } from './file-diff.tsx';
import type { ChangedSetting, NodeDifference } from './node-difference.ts';

/** What of a node differs: settings in a table, code side by side. */
export function DifferenceView({ difference }: { readonly difference: NodeDifference }) {
  const { settings, files } = difference;
  if (settings.length === 0 && files.length === 0) return <p className={styles.none}>{words.same}</p>;
  return (
    <div className={styles.both}>
      {settings.length > 0 && <Settings settings={settings} />}
      {files.length > 0 && <FileDiff files={files} />}
    </div>
  );
}

const Settings = ({ settings }: { readonly settings: readonly ChangedSetting[] }) => (
  <div className={styles.settings}>
    <table>
      <thead>
        <tr>
          <th scope="col">{words.setting}</th>
          <th scope="col">{words.before}</th>
          <th scope="col">{words.after}</th>
        </tr>
      </thead>
      <tbody>
        {settings.map(({ label, before, after }) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            <td data-side="before">{shownValue(before)}</td>
            <td data-side="after">{shownValue(after)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

const shownValue = (value: string | undefined) =>
  value === undefined ? <span className={styles.unset}>{words.notSet}</span> : <code>{value}</code>;
