import { Plus, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { caseWords as words } from '../../text/strings/cases.ts';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import type { ExpectedRecord, RecordedCase } from './case-text.ts';
import styles from './cases.module.css';
import { JsonField, KeyField, TimeField } from './fields.tsx';
import { Row } from './step-list.tsx';

export interface ExpectationsProps {
  readonly recorded: RecordedCase;
  /** Outputs of the node that lead somewhere, or that something came out of. */
  readonly outputs: readonly string[];
  readonly disabled: boolean;
  readonly onChange: (recorded: RecordedCase) => void;
}

/** What must come out, be late, and be stored in the end. */
export function Expectations({ recorded, outputs, disabled, onChange }: ExpectationsProps) {
  const { expect, late, state } = recorded;
  const setStream = (stream: string, records: readonly ExpectedRecord[] | undefined): void =>
    onChange({ ...recorded, expect: withEntry(expect, stream, records) });
  const isEmpty = expect.size === 0 && late === undefined && state === undefined;
  return (
    <>
      {isEmpty && <p className={styles.quiet}>{words.nothingExpected}</p>}
      {[...expect].map(([stream, records]) => (
        <Part key={stream} name={`${words.outputOf} ${stream}`}>
          <Records
            records={records}
            disabled={disabled}
            onChange={(next) => setStream(stream, next)}
            onRemove={() => setStream(stream, undefined)}
          />
        </Part>
      ))}
      {late !== undefined && (
        <Part name={words.late}>
          <Records
            records={late}
            disabled={disabled}
            onChange={(next) => onChange({ ...recorded, late: next })}
            onRemove={() => onChange({ ...recorded, late: undefined })}
          />
        </Part>
      )}
      {state !== undefined && (
        <Part name={words.state}>
          {[...state].map(([key, value]) => (
            <div key={key} className={styles.expected}>
              <div className={styles.stepHead}>
                <code>{key === '' ? words.noKey : key}</code>
                {!disabled && (
                  <Remove
                    onRemove={() => {
                      const next = withEntry(state, key, undefined);
                      onChange({ ...recorded, state: next.size === 0 ? undefined : next });
                    }}
                  />
                )}
              </div>
              <JsonField
                label={`${words.stateOf} ${key}`}
                value={value}
                disabled={disabled}
                onChange={(next) => onChange({ ...recorded, state: withEntry(state, key, next) })}
              />
            </div>
          ))}
        </Part>
      )}
      {!disabled && <Add recorded={recorded} outputs={outputs} onChange={onChange} />}
      {!disabled && !isEmpty && <p className={styles.quiet}>{words.matchers}</p>}
    </>
  );
}

function Add({ recorded, outputs, onChange }: Omit<ExpectationsProps, 'disabled'>) {
  const { expect, late, state, steps } = recorded;
  const record: ExpectedRecord = { value: '{}' };
  const keys = [...new Set(steps.flatMap((step) => (step.kind === 'record' ? [step.key ?? ''] : [])))];
  const free = keys.filter((key) => state?.has(key) !== true);
  return (
    <span>
      <Menu
        align="start"
        trigger={
          <Button size="small" look="quiet" flush icon={Plus}>
            {words.addExpected}
          </Button>
        }
      >
        {outputs.map((output) => (
          <MenuItem
            key={output}
            onSelect={() =>
              onChange({
                ...recorded,
                expect: withEntry(expect, output, [...(expect.get(output) ?? []), record]),
              })
            }
          >
            {`${words.outputOf} ${output}`}
          </MenuItem>
        ))}
        <MenuItem onSelect={() => onChange({ ...recorded, late: [...(late ?? []), record] })}>
          {words.addLate}
        </MenuItem>
        {free.map((key) => (
          <MenuItem
            key={key}
            onSelect={() => onChange({ ...recorded, state: withEntry(state ?? new Map(), key, 'null') })}
          >
            {`${words.stateOf} ${key === '' ? words.noKey : key}`}
          </MenuItem>
        ))}
      </Menu>
    </span>
  );
}

interface RecordsProps {
  readonly records: readonly ExpectedRecord[];
  readonly disabled: boolean;
  readonly onChange: (records: readonly ExpectedRecord[]) => void;
  readonly onRemove: () => void;
}

function Records({ records, disabled, onChange, onRemove }: RecordsProps) {
  if (records.length === 0)
    return (
      <div className={styles.stepHead}>
        <span className={styles.quiet}>{words.noRecords}</span>
        {!disabled && <Remove onRemove={onRemove} />}
      </div>
    );
  return records.map((record, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: they have no name; where one goes all are drawn anew
    <div key={`${records.length} ${at}`} className={styles.expected}>
      <div className={styles.fields}>
        <Row label={words.key}>
          <div className={styles.withButton}>
            <KeyField
              label={words.key}
              value={record.key ?? ''}
              placeholder={words.keyHint}
              disabled={disabled}
              onChange={(key) => onChange(records.with(at, { ...record, key: key === '' ? undefined : key }))}
            />
            {!disabled && <Remove onRemove={() => onChange(records.toSpliced(at, 1))} />}
          </div>
        </Row>
        <Row label={words.time}>
          <TimeField
            isOptional
            label={words.time}
            value={record.timestamp}
            disabled={disabled}
            onChange={(timestamp) => onChange(records.with(at, { ...record, timestamp }))}
          />
        </Row>
        <Row label={words.value}>
          <JsonField
            label={words.value}
            value={record.value}
            disabled={disabled}
            onChange={(value) => onChange(records.with(at, { ...record, value }))}
          />
        </Row>
      </div>
    </div>
  ));
}

const Remove = ({ onRemove }: { readonly onRemove: () => void }) => (
  <IconButton size="small" icon={Trash2} label={words.deleteExpected} onClick={onRemove} />
);

const Part = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <section className={styles.expectPart} aria-label={name}>
    <h4>{name}</h4>
    {children}
  </section>
);

function withEntry<V>(
  map: ReadonlyMap<string, V>,
  key: string,
  value: V | undefined,
): ReadonlyMap<string, V> {
  const next = new Map(map);
  if (value === undefined) next.delete(key);
  else next.set(key, value);
  return next;
}
