import type { LucideIcon } from 'lucide-react';
import { ArrowRight, CircleAlert, Clock, Database, MessageSquareText, Waves } from 'lucide-react';
import type { ReactNode } from 'react';
import { caseWords as words } from '../../text/strings/cases.ts';
import { Icon } from '../../ui/icon.tsx';
import { JsonTree } from '../../ui/json-tree/json-tree.tsx';
import type { CaseResult } from './case-runner.ts';
import { timeText } from './case-time.ts';
import styles from './cases.module.css';

type Trace = CaseResult['report']['steps'][number];
type CaseEvent = Trace['events'][number];
type KeyChange = Trace['keys'][number];
type StoredKey = NonNullable<KeyChange['after']>;

export interface StepOutcomeProps {
  readonly trace: Trace | undefined;
  /** What it threw. */
  readonly failure: string | undefined;
  readonly wasRun: boolean;
}

/** What a step did: what came out, what was logged, what is stored of which key now. */
export function StepOutcome({ trace, failure, wasRun }: StepOutcomeProps) {
  if (!wasRun) return <p className={styles.quiet}>{words.notRunStep}</p>;
  if (trace === undefined) return failure === undefined ? null : <Failure text={failure} />;
  const events = trace.events.filter(({ kind }) => kind !== 'error');
  return (
    <div className={styles.outcome}>
      {events.map((event, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they come in their order and never move
        <EventLine key={at} event={event} />
      ))}
      {trace.keys.map((change) => (
        <KeyLine key={change.key} change={change} />
      ))}
      {failure !== undefined && <Failure text={failure} />}
      {events.length + trace.keys.length === 0 && failure === undefined && (
        <p className={styles.quiet}>{words.nothingHappened}</p>
      )}
      <p className={styles.took} title={words.tookAbout}>
        {words.took(msText(trace.ms))}
      </p>
    </div>
  );
}

export const msText = (ms: number): string => (ms < 10 ? ms.toFixed(1) : String(Math.round(ms)));

const Failure = ({ text }: { readonly text: string }) => (
  <div className={styles.line} data-tone="error">
    <Icon of={CircleAlert} size={14} />
    <pre className={styles.stack}>{text.replace(/^step \d+ \(.*?\): (?=\S*Error)/s, '')}</pre>
  </div>
);

function EventLine({ event }: { readonly event: CaseEvent }): ReactNode {
  switch (event.kind) {
    case 'output':
      return (
        <Line icon={ArrowRight} name={event.stream} title={words.outAbout(event.stream)} facts={event}>
          <JsonTree text={event.value} label={words.value} open={1} />
        </Line>
      );
    case 'late':
      return (
        <Line icon={Clock} name={words.isLate} tone="warn" facts={event}>
          <JsonTree text={event.value} label={words.value} open={1} />
        </Line>
      );
    case 'watermark':
      return (
        <Line icon={Waves} name={words.watermarkTo}>
          <code>{event.time === null ? words.watermarkEnd : timeText(event.time)}</code>
        </Line>
      );
    case 'log':
      return (
        <Line
          icon={MessageSquareText}
          name={event.level}
          {...(event.level === 'error' || event.level === 'warn' ? { tone: event.level } : {})}
        >
          <pre className={styles.stack}>{event.text}</pre>
        </Line>
      );
    default:
      return null;
  }
}

interface LineProps {
  readonly icon: LucideIcon;
  readonly name: string;
  readonly title?: string;
  readonly tone?: 'warn' | 'error';
  readonly facts?: { readonly key: string; readonly timestamp: number };
  readonly children: ReactNode;
}

const Line = ({ icon, name, title, tone, facts, children }: LineProps) => (
  <div className={styles.line} data-tone={tone}>
    <Icon of={icon} size={14} />
    <div>
      <p className={styles.lineHead} title={title}>
        <b>{name}</b>
        {facts !== undefined && (
          <>
            <code>{facts.key === '' ? words.noKey : facts.key}</code>
            <code className={styles.at}>{timeText(facts.timestamp)}</code>
          </>
        )}
      </p>
      {children}
    </div>
  </div>
);

const KeyLine = ({ change: { key, before, after } }: { readonly change: KeyChange }) => (
  <div className={styles.line}>
    <Icon of={Database} size={14} />
    <div>
      <p className={styles.lineHead}>
        <b>{words.stateOf}</b>
        <code>{key === '' ? words.noKey : key}</code>
      </p>
      <div className={styles.sides}>
        <Stored name={words.before} of={before} />
        <Stored name={words.after} of={after} />
      </div>
    </div>
  </div>
);

const Stored = ({ name, of }: { readonly name: string; readonly of: StoredKey | undefined }) => (
  <div>
    <p className={styles.side}>{name}</p>
    {of === undefined ? (
      <p className={styles.quiet}>{words.nothingStored}</p>
    ) : (
      <>
        {of.state !== undefined && <JsonTree text={of.state} label={name} open={2} />}
        {of.maps.map(([map, entries]) => (
          <div key={map}>
            <p className={styles.side}>{words.mapOf(map)}</p>
            {entries.map(([entry, value]) => (
              <JsonTree key={entry} text={`{${keyText(entry)}:${value}}`} label={words.mapOf(map)} open={2} />
            ))}
          </div>
        ))}
        {of.timers.map((timer) => (
          <p key={`${timer.clock} ${timer.tag}`} className={styles.timer}>
            {words.timer(timer.tag)} <code>{timeText(timer.time)}</code>
          </p>
        ))}
      </>
    )}
  </div>
);

/** Keys of maps are JSON of any kind; a name of a field is a text. */
const keyText = (entry: string): string => (entry.startsWith('"') ? entry : JSON.stringify(entry));
