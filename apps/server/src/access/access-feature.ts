/** The walls around connectors, as an admin sets them. */
import type { AccessSettings, AccessStore } from '@millrace/store';
import { audit } from '../accounts/account-services.ts';
import { changedMeanwhile } from '../http/entity-tag.ts';
import type { Feature } from '../http/handler.ts';
import { Problem } from '../http/problem.ts';
import { whoIs } from '../secrets/secrets-feature.ts';
import { judgeFolder } from './allowed-folder.ts';

export interface AccessOptions {
  readonly access: AccessStore;
  readonly dataDir: string;
}

export function accessFeature({ access, dataDir }: AccessOptions): Feature {
  return (bind) => {
    bind('access.read', async ({ workspace, etag }) => {
      const settings = await access.read(workspace);
      etag(settings.version);
      return shown(settings);
    });
    bind('access.write', async ({ workspace, body, actor, ifMatch, etag }) => {
      const folders = await foldersOf(body.folders, dataDir);
      const hosts = [...new Set(body.hosts)];
      const ifVersion = /^\d{1,15}$/.test(ifMatch ?? '') ? Number(ifMatch) : -1;
      const written = await access.write(
        workspace,
        { folders, hosts },
        {
          actor: whoIs(actor),
          ifVersion,
          also: (sql) => audit(sql, actor, { action: 'access.written', detail: { folders, hosts } }),
        },
      );
      if (written === 'changed') return changedMeanwhile((await access.read(workspace)).version);
      etag(written.version);
      return shown(written);
    });
  };
}

const shown = ({ folders, hosts }: AccessSettings) => ({ folders: [...folders], hosts: [...hosts] });

async function foldersOf(given: readonly string[], dataDir: string): Promise<string[]> {
  const verdicts = await Promise.all(given.map((folder) => judgeFolder(folder, dataDir)));
  const issues = verdicts.flatMap((verdict, i) =>
    verdict.kind === 'refused' ? [{ path: `folders.${i}`, message: verdict.reason }] : [],
  );
  const [first] = issues;
  if (first !== undefined)
    throw new Problem(422, 'bad-folder', `A folder cannot be opened to pipelines: it ${first.message}.`, {
      issues,
    });
  return [...new Set(verdicts.flatMap((verdict) => (verdict.kind === 'folder' ? [verdict.realPath] : [])))];
}
