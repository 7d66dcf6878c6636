import { Code } from 'lucide-react';
import type { CSSProperties } from 'react';
import { canvasWords } from '../../text/strings/canvas.ts';
import { hueOf } from '../../ui/avatar.tsx';
import { Icon } from '../../ui/icon.tsx';
import styles from './peer-flags.module.css';
import type { PeerAt } from './peers-at.ts';
import { usePeersAt } from './use-peers.ts';

/** Around a node: who else has it selected, and who is in its code. */
export function PeerFlags({ id }: { readonly id: string }) {
  const peers = usePeersAt(id);
  const [first] = peers;
  if (first === undefined) return null;
  return (
    <div className={styles.around} style={hue(first.name)}>
      <span className={styles.flags}>
        {peers.slice(0, 3).map((peer) => (
          <span key={peer.client} className={styles.flag} style={hue(peer.name)} title={words(peer)}>
            {peer.isInCode && <Icon of={Code} size={12} label={canvasWords.inItsCode} />}
            <span>{peer.name}</span>
          </span>
        ))}
        {peers.length > 3 && <span className={styles.flag}>+{peers.length - 3}</span>}
      </span>
    </div>
  );
}

export const hue = (name: string): CSSProperties => ({ '--hue-of': hueOf(name) }) as CSSProperties;

const words = ({ name, isInCode }: PeerAt): string =>
  isInCode ? canvasWords.editsItsCode(name) : canvasWords.hasItSelected(name);
