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
const MOST_ISSUES = 5;

export interface ImportPreviewProps {
  readonly preview: AnswerOf<RouteOf<'pipelines.import'>>;
}

export function ImportPreview({ preview: { diff, secrets, issues, existing } }: ImportPreviewProps) {
  const errors = issues.filter(({ severity }) => severity === 'error');
  return (
    <>
      {existing && <Notice tone="info">{homeWords.aPipelineHere}</Notice>}
      <div>
        <h3>{homeWords.parts(diff.nodes.length, diff.streams.length, diff.files.length)}</h3>
        <ul className={styles.nodes}>
          {diff.nodes.map(({ id, name, type, kind }) => (
            <li key={id}>
              <Badge tone={TONES[kind] ?? 'neutral'}>{kind}</Badge>
              <span className={styles.name}>{name}</span>
              <code>{type}</code>
            </li>
          ))}
        </ul>
      </div>
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
