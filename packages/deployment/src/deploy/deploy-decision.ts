/**
 * What happens to each node's state when a folder changed under the same data (Y1, Y2): a pure function of the
 * two versions. State follows the node id, never its name or place (G1).
 *
 * D1 Nothing is lost silently: state that cannot be kept needs an explicit yes.
 * D2 A doubt counts as incompatible: a node without facts is taken to be stateful and unable to migrate.
 * D3 State of a node that only moved, or whose neighbours changed, is kept.
 */
import type { NodeAspect, NodeChange, NodeKind, RunPlan } from '@millrace/graph';
import type { NodeFacts } from '../user-code/user-code.ts';

export interface NodePlan {
  readonly id: string;
  readonly name: string;
  readonly kind: 'kept' | 'new' | 'changed' | 'removed' | 'incompatible';
  readonly changes: readonly NodeAspect[];
  /** What it means for the node's state, in words. */
  readonly note: string;
  readonly losesState: boolean;
}

export interface DeployPlan {
  readonly nodes: readonly NodePlan[];
  /** Nodes whose state would go. */
  readonly losing: readonly string[];
}

export interface VersionFacts {
  readonly plan: RunPlan;
  readonly facts: ReadonlyMap<string, NodeFacts>;
}

export function decideDeploy(
  changes: readonly NodeChange[],
  before: VersionFacts,
  after: VersionFacts,
): DeployPlan {
  const nodes = inGraphOrder(changes, before.plan, after.plan).map((change) =>
    decideNode(change, before, after),
  );
  return { nodes, losing: nodes.filter((node) => node.losesState).map((node) => node.id) };
}

/** As records flow; what is removed comes behind what stood in front of it. */
function inGraphOrder(
  changes: readonly NodeChange[],
  before: RunPlan,
  after: RunPlan,
): readonly NodeChange[] {
  const places = new Map(after.nodes.map(({ id }, place) => [id, place]));
  let last = -1;
  for (const [step, { id }] of before.nodes.entries()) {
    const place = places.get(id);
    if (place === undefined) places.set(id, last + (step + 1) / (before.nodes.length + 1));
    else last = Math.floor(place);
  }
  const placeOf = ({ id }: NodeChange): number => places.get(id) ?? places.size;
  return [...changes].sort((a, b) => placeOf(a) - placeOf(b));
}

function decideNode(change: NodeChange, before: VersionFacts, after: VersionFacts): NodePlan {
  const { id, name, changes } = change;
  const stateful = isStateful(before, id);
  switch (change.kind) {
    case 'new':
      return {
        id,
        name,
        kind: 'new',
        changes,
        note: 'starts at the watermark of its senders',
        losesState: false,
      };
    case 'removed':
      return { id, name, kind: 'removed', changes, note: removalNote(before, id), losesState: stateful };
    case 'kept':
    case 'changed': {
      const reason = stateful ? incompatibility(change, before, after) : undefined;
      if (reason !== undefined) {
        return {
          id,
          name,
          kind: 'incompatible',
          changes,
          note: `${reason}: its state would go`,
          losesState: true,
        };
      }
      return {
        id,
        name,
        kind: change.kind,
        changes,
        note: keptNote(stateful, before, after, id),
        losesState: false,
      };
    }
  }
}

/** Why the new version cannot take over the state of the old one. */
function incompatibility(
  { id, changes }: NodeChange,
  before: VersionFacts,
  after: VersionFacts,
): string | undefined {
  if (changes.includes('keyBy')) return 'another keyBy puts its state under other keys';
  const old = before.facts.get(id);
  const now = after.facts.get(id);
  if (kindOf(after, id) !== 'computation') return 'it is no computation any more';
  if (now === undefined)
    return old === undefined && changes.length === 0 ? undefined : 'its code does not load';
  if (now.stateless) return 'it keeps no state any more';
  if (now.migrates || old === undefined) return undefined;
  if (now.stateShape !== old.stateShape) return 'its settings shape the state differently';
  if (now.stateVersion !== old.stateVersion) {
    return `stateVersion ${old.stateVersion} became ${now.stateVersion} and there is no migrateState`;
  }
  return undefined;
}

function isStateful(version: VersionFacts, id: string): boolean {
  return kindOf(version, id) === 'computation' && version.facts.get(id)?.stateless !== true;
}

function kindOf(version: VersionFacts, id: string): NodeKind | undefined {
  return version.plan.nodes.find((node) => node.id === id)?.kind;
}

function removalNote(before: VersionFacts, id: string): string {
  if (isStateful(before, id)) return 'its state and timers would go';
  return kindOf(before, id) === 'injector' ? 'reads no more' : 'keeps no state';
}

function keptNote(stateful: boolean, before: VersionFacts, after: VersionFacts, id: string): string {
  if (!stateful) return '';
  const versions = [before, after].map((version) => version.facts.get(id)?.stateVersion);
  return versions[0] === versions[1] ? 'state stays' : 'state is migrated when it is next used';
}
