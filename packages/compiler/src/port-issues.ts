/** What the code of a node declares against what is wired to it, as issues on the streams. */
import { type Issue, type Node, PIPELINE_FILE, type PipelineFolder, type Stream } from '@millrace/graph';
import type { Project } from './layout/layout-project.ts';
import { locate } from './locate.ts';
import type { PortFinding } from './typescript/check-request.ts';

export function portIssues(folder: PipelineFolder, project: Project, finding: PortFinding): Issue[] {
  const node = folder.pipeline.nodes.get(finding.node);
  if (node === undefined) return [];
  const inCode = (code: string, severity: Issue['severity'], start: number, message: string): Issue => ({
    code,
    severity,
    message,
    ...locate(folder, project.files.get(`/${node.id}/node.ts`), start),
  });
  switch (finding.kind) {
    case 'no-default-export':
      return [
        inCode(
          'no-computation',
          'error',
          0,
          `${node.code} has no default export; write export default computation<Inputs, Outputs>({ … })`,
        ),
      ];
    case 'not-a-computation':
      return [
        inCode(
          'no-computation',
          'error',
          0,
          `the default export of ${node.code} is ${finding.found}, not a computation; write export default computation<Inputs, Outputs>({ … })`,
        ),
      ];
    case 'any-output':
      return [
        inCode(
          'any-output',
          'warning',
          finding.start,
          `the output '${finding.port}' of ${called(node)} contains any, so its consumers are checked against nothing; give it a type`,
        ),
      ];
    case 'unknown-output':
      return onStreams(
        folder,
        'from',
        finding,
        (stream) =>
          `stream '${stream.id}': ${called(node)} has no output '${finding.port}'; ${listed(finding.known, 'Outputs')}`,
      );
    case 'unknown-input':
      return onStreams(
        folder,
        'to',
        finding,
        (stream) =>
          `stream '${stream.id}': ${called(node)} has no input '${finding.port}'; ${listed(finding.known, 'Inputs')}`,
      );
    case 'input-mismatch':
      return onStreams(
        folder,
        'to',
        finding,
        (stream) =>
          `stream '${stream.id}' brings ${finding.given}, but the input '${finding.port}' of ${called(node)} is declared as ${finding.expected}; import Inputs from './streams' or change the producer`,
      );
  }
}

type OnPort = Extract<PortFinding, { kind: 'unknown-output' | 'unknown-input' | 'input-mismatch' }>;

function onStreams(
  folder: PipelineFolder,
  end: 'from' | 'to',
  finding: OnPort,
  message: (stream: Stream) => string,
): Issue[] {
  const streams = [...folder.pipeline.streams.values()].filter(
    (stream) => stream[end][0] === finding.node && stream[end][1] === finding.port,
  );
  return streams.map((stream) => {
    const path = ['streams', stream.id, end, 1];
    return {
      code: finding.kind === 'input-mismatch' ? finding.kind : 'unknown-port',
      severity: 'error',
      message: message(stream),
      node: finding.node,
      stream: stream.id,
      path: path.join('.'),
      file: PIPELINE_FILE,
      ...folder.positions.value(path),
    };
  });
}

function listed(known: readonly string[], where: string): string {
  if (known.length === 0) return `its code declares none; add it to ${where}`;
  return `its code has ${known.map((name) => `'${name}'`).join(', ')}`;
}

function called(node: Node): string {
  return `'${node.name}' (${node.id})`;
}
