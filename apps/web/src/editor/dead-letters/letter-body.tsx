import type { AnswerOf, RouteOf } from '@millrace/protocol/api';
import type { ReactNode } from 'react';
import { deadLetterWords as words } from '../../text/strings/dead-letters.ts';
import { JsonTree } from '../../ui/json-tree/json-tree.tsx';
import { KeyText } from '../../ui/key-text.tsx';
import { EventTime, WallTime } from '../../ui/time.tsx';
import styles from './dead-letters.module.css';

export type DeadLetter = AnswerOf<RouteOf<'dead-letters.get'>>;

/** What was kept of one letter. */
export function LetterBody({ letter }: { readonly letter: DeadLetter }) {
  const { key, timestamp, state, stack } = letter;
  return (
    <div className={styles.body}>
      <dl className={styles.facts}>
        <Fact name={words.key}>
          <KeyText of={key} />
        </Fact>
        {timestamp !== null && (
          <Fact name={words.time}>
            <EventTime at={timestamp} as="moment" />
          </Fact>
        )}
        <Fact name={words.recorded}>
          <WallTime at={letter.recordedAt} />
        </Fact>
        <Fact name={words.version}>{letter.version}</Fact>
        <Fact name={words.attempts}>{words.triesAndRedriven(letter.attempts, letter.redriven)}</Fact>
        <Fact name={words.origin}>
          <code>{letter.origin}</code>
        </Fact>
      </dl>
      <Part title={words.input}>
        <JsonTree text={letter.input} label={words.input} />
      </Part>
      {state !== null && state !== undefined && (
        <Part title={words.state}>
          <JsonTree text={state} label={words.state} />
        </Part>
      )}
      {stack !== undefined && (
        <Part title={words.stack}>
          <pre className={styles.stack}>{stack}</pre>
        </Part>
      )}
    </div>
  );
}

const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

const Part = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <section className={styles.part} aria-label={title}>
    <h4>{title}</h4>
    {children}
  </section>
);
