/**
 * Opens and closes every source of a version before it becomes the current one. A version whose sources do not
 * open could never finish what is in flight, and so could never be left by a deploy again.
 */
import type { ConnectorContext, InjectorConnector } from '@millrace/engine';
import type { RunPlan } from '@millrace/graph';

export type Injectors = { injector(type: string): InjectorConnector | undefined };

/** The first failure as text for people; undefined when all of them open. */
export async function trySources(
  plan: Pick<RunPlan, 'nodes'>,
  connectors: Injectors,
  context: (node: { readonly id: string; readonly name: string }) => ConnectorContext,
): Promise<string | undefined> {
  for (const node of plan.nodes) {
    const connector = node.kind === 'injector' ? connectors.injector(node.type) : undefined;
    try {
      const opened = await connector?.open(node.config, context(node));
      await opened?.close();
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }
  return undefined;
}
