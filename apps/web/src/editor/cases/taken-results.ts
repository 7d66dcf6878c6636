/** What came out of a run as what must come out of the next. Pure. */
import type { CaseReportShown } from '@millrace/protocol/api';
import type { ExpectedRecord, RecordedCase } from './case-text.ts';

/** Of these outputs none came out, which is worth to be said, too. */
export function takeResults(
  recorded: RecordedCase,
  report: CaseReportShown,
  outputs: Iterable<string>,
): RecordedCase {
  const expect = new Map<string, ExpectedRecord[]>([...outputs].map((output) => [output, []]));
  const late: ExpectedRecord[] = [];
  const state = new Map<string, string>();
  for (const { events, keys } of report.steps) {
    for (const event of events) {
      if (event.kind === 'late')
        late.push({ key: event.key, value: event.value, timestamp: event.timestamp });
      if (event.kind !== 'output') continue;
      const { key, value, timestamp, pane } = event;
      const records = expect.get(event.stream) ?? [];
      expect.set(event.stream, [...records, { key, value, timestamp, ...(pane !== undefined && { pane }) }]);
    }
    for (const { key, after } of keys) {
      if (after === undefined) state.set(key, 'null');
      else if (after.state === undefined) state.delete(key);
      else state.set(key, after.state);
    }
  }
  return {
    ...recorded,
    expect,
    late: late.length > 0 || recorded.late !== undefined ? late : undefined,
    state: state.size > 0 || recorded.state !== undefined ? state : undefined,
  };
}
