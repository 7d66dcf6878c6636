import { useEffect, useRef, useState } from 'react';
import { Select } from '../../ui/select.tsx';
import { loadMonaco } from '../code/load-monaco.ts';
import styles from './deploy-dialog.module.css';

export interface ChangedFile {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** Files side by side: the version at the left, the draft at the right. */
export function FileDiff({ files }: { readonly files: readonly ChangedFile[] }) {
  const [path, setPath] = useState(files[0]?.path ?? '');
  const place = useRef<HTMLDivElement>(null);
  const file = files.find((one) => one.path === path) ?? files[0];
  useEffect(() => {
    let close = (): void => undefined;
    let gone = false;
    void loadMonaco().then(({ monaco }) => {
      if (gone || place.current === null || file === undefined) return;
      const language = file.path.endsWith('.json') ? 'plaintext' : 'typescript';
      // Under a scheme of their own: the check of the pipeline must not see them twice.
      const model = (side: string, text: string | null) =>
        monaco.editor.createModel(text ?? '', language, monaco.Uri.parse(`diff://${side}/${file.path}`));
      const [original, modified] = [model('before', file.before), model('after', file.after)];
      const editor = monaco.editor.createDiffEditor(place.current, {
        automaticLayout: true,
        readOnly: true,
        renderSideBySide: true,
        lineNumbersMinChars: 3,
        minimap: { enabled: false },
        fontFamily: '"JetBrains Mono Variable", ui-monospace, monospace',
        fontSize: 12,
        scrollBeyondLastLine: false,
        renderOverviewRuler: false,
        hideUnchangedRegions: { enabled: true },
        theme: 'millrace',
      });
      editor.setModel({ original, modified });
      close = () => {
        editor.dispose();
        original.dispose();
        modified.dispose();
      };
    });
    return () => {
      gone = true;
      close();
    };
  }, [file]);
  return (
    <>
      <Select
        label="File"
        value={file?.path ?? ''}
        options={files.map((one) => ({ value: one.path, label: one.path }))}
        onChange={setPath}
      />
      <div className={styles.diff}>
        <div ref={place} />
      </div>
    </>
  );
}
