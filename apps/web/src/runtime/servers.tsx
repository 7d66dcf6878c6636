import { runtimeWords as words } from '../text/strings/runtime.ts';
import { type Column, Table } from '../ui/table.tsx';
import { WallTime } from '../ui/time.tsx';
import styles from './runtime-page.module.css';
import type { Runtime } from './slowest-watermark.ts';

type Server = Runtime['servers'][number];

const COLUMNS: readonly Column<Server>[] = [
  { head: words.server, cell: ({ address }) => address },
  { head: words.role, cell: ({ leads }) => (leads ? words.leads : words.standsBy) },
  { head: words.serverSince, cell: ({ since }) => <WallTime at={since} /> },
];

/** The servers that share the database; nothing where one is alone on a database of its own. */
export function Servers({ servers }: { readonly servers: readonly Server[] }) {
  if (servers.length === 0) return null;
  const isAlone = !servers.some(({ leads }) => !leads);
  return (
    <section className={styles.keys}>
      <h2>{words.servers}</h2>
      <p className={styles.about}>{isAlone ? words.noneStandsBy : words.serversAbout}</p>
      <Table
        label={words.servers}
        columns={COLUMNS}
        rows={[...servers]}
        keyOf={({ address, since }) => `${address} ${since}`}
      />
    </section>
  );
}
