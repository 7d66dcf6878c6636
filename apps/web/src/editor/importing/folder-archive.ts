/** A pipeline's folder, chosen in the browser, as the zip that imports take. */
import { fileRole } from '@millrace/graph';

export interface ChosenFile {
  /** With the name of the chosen folder in front. */
  readonly webkitRelativePath: string;
  readonly arrayBuffer: () => Promise<ArrayBuffer>;
}

/** What belongs to a pipeline, by its path inside the folder: beside it there may be anything. */
export function pipelineFiles<F extends Pick<ChosenFile, 'webkitRelativePath'>>(
  chosen: readonly F[],
): ReadonlyMap<string, F> {
  return new Map(
    chosen
      .map((file): [string, F] => [file.webkitRelativePath.split('/').slice(1).join('/'), file])
      .filter(([path]) => fileRole(path) !== undefined),
  );
}

/** Undefined where the folder holds no pipeline. */
export async function folderArchive(chosen: readonly ChosenFile[]): Promise<Blob | undefined> {
  const files = pipelineFiles(chosen);
  if (!files.has('pipeline.json')) return undefined;
  const { zipSync } = await import('fflate');
  const bytes = await Promise.all(
    [...files].map(async ([path, file]) => [path, new Uint8Array(await file.arrayBuffer())] as const),
  );
  return new Blob([zipSync(Object.fromEntries(bytes))], { type: 'application/zip' });
}
