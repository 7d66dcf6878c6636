import type { ConnectorContext, InjectorConnector } from '@millrace/engine';
import type { RunPlan } from '@millrace/graph';
import { expect, it } from 'vitest';
import { trySources } from './try-sources.ts';

const node = (id: string, kind: string, path: string) =>
  ({ id, name: id, kind, type: `${kind}/file`, config: { path } }) as unknown as RunPlan['nodes'][number];
const context = ({ id, name }: { id: string; name: string }): ConnectorContext => ({
  nodeId: id,
  nodeName: name,
  folder: '/',
  secret: async () => '',
  now: () => 0,
});

it('DE1: opens and closes every source, and tells the first that does not open', async () => {
  const steps: string[] = [];
  const file: InjectorConnector = {
    async open({ path }, { nodeName }) {
      if (path === 'absent') throw new Error(`${nodeName}: there is no such file`);
      steps.push(`open ${nodeName}`);
      return { partitions: [], close: async () => void steps.push(`close ${nodeName}`) };
    },
  };
  const connectors = { injector: (type: string) => (type === 'injector/file' ? file : undefined) };
  const good = [node('a', 'injector', 'x'), node('s', 'sink', 'absent'), node('b', 'injector', 'y')];
  expect(await trySources({ nodes: good }, connectors, context)).toBeUndefined();
  expect(steps).toEqual(['open a', 'close a', 'open b', 'close b']);
  const nodes = [...good, node('c', 'injector', 'absent')];
  expect(await trySources({ nodes }, connectors, context)).toBe('c: there is no such file');
});
