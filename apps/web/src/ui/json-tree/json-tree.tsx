import { ChevronRight } from 'lucide-react';
import { useMemo, useState } from 'react';
import { uiWords } from '../../text/strings/ui.ts';
import { Icon } from '../icon.tsx';
import styles from './json-tree.module.css';
import { type JsonNode, parseJson } from './parse-json.ts';

export interface JsonTreeProps {
  /** What is not JSON, such as the beginning of a long one, is shown as it is. */
  readonly text: string;
  /** Names the tree. */
  readonly label: string;
  /** How many levels are open at first. */
  readonly open?: number;
}

/** Children shown before one asks for more: a list of 100,000 is not laid out to be looked at. */
const PAGE = 100;

/** A value as a tree that opens and closes; numbers exactly as they were written. */
export function JsonTree({ text, label, open = 2 }: JsonTreeProps) {
  const root = useMemo(() => parseJson(text), [text]);
  if (root === undefined)
    return (
      <section className={styles.tree} aria-label={label}>
        <pre className={styles.raw}>{text}</pre>
      </section>
    );
  return (
    <section className={styles.tree} aria-label={label}>
      <Branch node={root} open={open} />
    </section>
  );
}

interface BranchProps {
  readonly name?: string | undefined;
  readonly node: JsonNode;
  readonly open: number;
}

function Branch({ name, node, open }: BranchProps) {
  const [isOpen, setOpen] = useState(open > 0);
  const children = childrenOf(node);
  if (children === undefined || children.length === 0)
    return (
      <div className={styles.leaf}>
        <Name of={name} />
        <Leaf node={node} />
      </div>
    );
  return (
    <div>
      <button
        type="button"
        className={styles.branch}
        aria-expanded={isOpen}
        onClick={() => setOpen((was) => !was)}
      >
        <Icon of={ChevronRight} size={14} />
        <Name of={name} />
        <span className={styles.summary}>{isOpen ? bracketsOf(node) : shortly(node)}</span>
      </button>
      {isOpen && <Children of={children} open={open - 1} />}
    </div>
  );
}

type Child = readonly [name: string, node: JsonNode];

function Children({ of, open }: { readonly of: readonly Child[]; readonly open: number }) {
  const [shown, setShown] = useState(PAGE);
  return (
    <div className={styles.children}>
      {of.slice(0, shown).map(([name, node], i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a name may stand twice, and nothing moves
        <Branch key={i} name={name} node={node} open={open} />
      ))}
      {of.length > shown && (
        <button type="button" className={styles.more} onClick={() => setShown((count) => count + PAGE)}>
          {uiWords.moreOf(of.length - shown)}
        </button>
      )}
    </div>
  );
}

const Name = ({ of }: { readonly of: string | undefined }) =>
  of === undefined ? null : (
    <>
      <span className={styles.name}>{of}</span>
      <span className={styles.colon}>{': '}</span>
    </>
  );

function Leaf({ node }: { readonly node: JsonNode }) {
  if (node.kind === 'object' || node.kind === 'array')
    return <span className={styles.summary}>{bracketsOf(node)}</span>;
  return <span data-kind={node.kind}>{node.kind === 'string' ? JSON.stringify(node.text) : node.text}</span>;
}

function childrenOf(node: JsonNode): readonly Child[] | undefined {
  if (node.kind === 'object') return node.entries;
  return node.kind === 'array' ? node.items.map((item, i) => [String(i), item] as const) : undefined;
}

const bracketsOf = (node: JsonNode): string =>
  node.kind === 'array' ? `[${node.items.length}]` : node.kind === 'object' ? `{${node.entries.length}}` : '';

const MOST_SHORT = 80;
const MOST_PARTS = 8;

type Nested = Extract<JsonNode, { readonly kind: 'array' | 'object' }>;

/** The beginning of it in one line. */
function shortly(node: JsonNode): string {
  const text = written(node, 3);
  return text.length > MOST_SHORT ? `${text.slice(0, MOST_SHORT)}…` : text;
}

function written(node: JsonNode, depth: number): string {
  switch (node.kind) {
    case 'string':
      return JSON.stringify(node.text.slice(0, MOST_SHORT));
    case 'array':
    case 'object':
      return depth === 0 ? '…' : nested(node, depth - 1);
    default:
      return node.text;
  }
}

function nested(node: Nested, depth: number): string {
  if (node.kind === 'array') {
    const items = node.items.slice(0, MOST_PARTS).map((item) => written(item, depth));
    return `[${items.join(', ')}]`;
  }
  const entries = node.entries
    .slice(0, MOST_PARTS)
    .map(([name, value]) => `${name}: ${written(value, depth)}`);
  return `{ ${entries.join(', ')} }`;
}
