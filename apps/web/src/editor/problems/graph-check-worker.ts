/** Entry of the worker that checks the graph of large drafts: it has a copy of the draft, and follows it. */
import { connectorSpecs } from '@millrace/connectors/specs';
import { nodeTypes } from '@millrace/graph';
import { openReplica } from '../../document/replica.ts';
import type { CheckAnswer, CheckQuestion } from './graph-checker.ts';
import { graphIssues } from './graph-issues.ts';

const types = nodeTypes(connectorSpecs);
const replica = openReplica();

self.onmessage = ({ data }: MessageEvent<CheckQuestion>) => {
  replica.take(data.updates);
  const answer: CheckAnswer = { round: data.round, issues: graphIssues(replica.document, types) };
  self.postMessage(answer);
};
