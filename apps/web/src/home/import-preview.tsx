import type { AnswerOf, RouteOf } from '@millrace/protocol/api';
import { homeWords } from '../text/strings/home.ts';
import { Badge, type Tone } from '../ui/badge.tsx';
import { Notice } from '../ui/notice.tsx';
import styles from './import-preview.module.css';

const TONES: Readonly<Record<string, Tone>> = {
  new: 'ok',
  changed: 'warn',
  removed: 'error',
  kept: 'neutral',
};
const FILE_TONES = { added: 'ok', changed: 'warn', removed: 'error' } as const satisfies Record<string, Tone>;
const MOST_ISSUES = 5;

type Diff = AnswerOf<RouteOf<'pipelines.import'>>['diff'];

export interface ImportPreviewProps {
  readonly preview: Pick<AnswerOf<RouteOf<'pipelines.import'>>, 'diff' | 'secrets' | 'issues' | 'existing'>;
  /** It goes into a draft: what stays there as it is is counted, not listed. */
  readonly isOnto?: boolean;
}

export function ImportPreview({ preview, isOnto = false }: ImportPreviewProps) {
  const { diff, secrets, issues, existing } = preview;
  const errors = issues.filter(({ severity }) => severity === 'error');
  return (
    <>
      {existing && !isOnto && <Notice tone="info">{homeWords.aPipelineHere}</Notice>}
      <Parts diff={diff} isOnto={isOnto} />
      {secrets.length > 0 && (
        <Notice tone="warn" title={homeWords.secretsToBindBefore}>
          {secrets.join(', ')}
        </Notice>
      )}
      {errors.length > 0 && (
        <Notice tone="warn" title={homeWords.problemsToMend(errors.length)}>
          <ul>
            {errors.slice(0, MOST_ISSUES).map(({ file, line, column, message }) => (
              <li key={`${file}:${line}:${column} ${message}`}>
                <code>
                  {file}:{line}
                </code>{' '}
                {message}
              </li>
            ))}
          </ul>
        </Notice>
      )}
    </>
  );
}

function Parts({ diff, isOnto }: { readonly diff: Diff; readonly isOnto: boolean }) {
  const nodes = isOnto ? diff.nodes.filter(({ kind }) => kind !== 'kept') : diff.nodes;
  const streams = diff.streams.filter(({ kind }) => kind !== 'kept');
  const stay = diff.nodes.length - nodes.length;
  const isSame = isOnto && nodes.length + streams.length + diff.files.length === 0 && diff.name === null;
  if (isSame) return <p>{homeWords.nothingChanges}</p>;
  return (
    <div>
      <h3>{homeWords.parts(nodes.length, streams.length, diff.files.length)}</h3>
      <ul className={styles.nodes}>
        {nodes.map(({ id, name, type, kind, changes }) => (
          <li key={id}>
            <Badge tone={TONES[kind] ?? 'neutral'}>{kind}</Badge>
            <span className={styles.name}>{name}</span>
            <code>{changes.length > 0 ? changes.join(', ') : type}</code>
          </li>
        ))}
        {isOnto &&
          diff.files.map(({ path, kind }) => (
            <li key={path}>
              <Badge tone={FILE_TONES[kind]}>{kind}</Badge>
              <code className={styles.name}>{path}</code>
            </li>
          ))}
      </ul>
      {stay > 0 && <p className={styles.stay}>{homeWords.stay(stay)}</p>}
    </div>
  );
}
