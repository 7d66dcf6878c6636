import { useEffect, useRef, useState } from 'react';
import { compareWords as words } from '../../../text/strings/compare.ts';
import { Select } from '../../../ui/select.tsx';
import { loadMonaco } from '../../code/load-monaco.ts';
import styles from './file-diff.module.css';
import type { ChangedFile } from './node-difference.ts';

/** Two may be open at once, of the same file. */
let opened = 0;
const NO_FILE: ChangedFile = { path: '', before: null, after: null };

/** Files side by side: the older at the left, the newer at the right. */
export function FileDiff({ files }: { readonly files: readonly ChangedFile[] }) {
  const [path, setPath] = useState(files[0]?.path ?? '');
  const place = useRef<HTMLDivElement>(null);
  const file: ChangedFile | undefined = files.find((one) => one.path === path) ?? files[0];
  const { path: name, before, after } = file ?? NO_FILE;
  // By the texts, not the object: it is made anew whenever the draft is looked at again.
  useEffect(() => {
    let close = (): void => undefined;
    let gone = false;
    void loadMonaco().then(({ monaco }) => {
      if (gone || place.current === null || name === '') return;
      const id = opened++;
      const language = name.endsWith('.json') ? 'plaintext' : 'typescript';
      // Under a scheme of their own: the check of the pipeline must not see them twice.
      const model = (side: string, text: string | null) =>
        monaco.editor.createModel(text ?? '', language, monaco.Uri.parse(`diff://${side}-${id}/${name}`));
      const [original, modified] = [model('before', before), model('after', after)];
      const editor = monaco.editor.createDiffEditor(place.current, {
        automaticLayout: true,
        readOnly: true,
        // A textarea, which everything that listens to keys knows.
        editContext: false,
        renderSideBySide: true,
        lineNumbersMinChars: 3,
        minimap: { enabled: false },
        bracketPairColorization: { enabled: false },
        fontFamily: '"JetBrains Mono Variable", ui-monospace, monospace',
        fontSize: 12,
        scrollBeyondLastLine: false,
        renderOverviewRuler: false,
        hideUnchangedRegions: { enabled: true },
        theme: 'millrace',
      });
      editor.setModel({ original, modified });
      editor.getOriginalEditor().updateOptions({ ariaLabel: words.sideOf(words.before, name) });
      editor.getModifiedEditor().updateOptions({ ariaLabel: words.sideOf(words.after, name) });
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
  }, [name, before, after]);
  return (
    <div className={styles.part}>
      {files.length > 1 ? (
        <Select
          label={words.file}
          value={file?.path ?? ''}
          options={files.map((one) => ({ value: one.path, label: one.path }))}
          onChange={setPath}
        />
      ) : (
        <span className={styles.path}>{file?.path}</span>
      )}
      <div className={styles.diff}>
        <div ref={place} />
      </div>
    </div>
  );
}
