import { useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { TextArea } from '../../../ui/text-input.tsx';
import { ExpressionEditor } from '../../code/expressions/expression-editor.tsx';
import { settingHome } from '../../code/expressions/setting-home.ts';
import { useEditor } from '../../editor-context.tsx';
import styles from './controls.module.css';
import { type ControlOf, shown } from './controls.tsx';
import { useSettingPath } from './setting-path.tsx';
import { useBuffered } from './use-buffered.ts';

/** TypeScript: with the help that code has as soon as Monaco is there, a plain field until then. */
export function ExpressionControl(props: ControlOf) {
  const { draft, code } = useEditor();
  const ready = useStore(code.store, (state) => state.ready);
  const setting = useSettingPath();
  // Who types already goes on where they are.
  const [isTyping, setTyping] = useState(false);
  const { value, fallback, onChange, control = {}, label, disabled } = props;
  const project = ready?.project;
  const path = setting?.join('\n');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path stands for the setting
  const home = useMemo(
    () => (project === undefined || setting === undefined ? undefined : settingHome(project, draft, setting)),
    [project, draft, path],
  );
  if (ready === undefined || home === undefined || disabled === true || isTyping) {
    return <PlainControl {...props} onTyping={setTyping} />;
  }
  return (
    <ExpressionEditor
      loaded={ready.loaded}
      home={home}
      given={shown(value)}
      write={(text) => onChange(text.trim() === '' ? undefined : text)}
      control={control}
      label={label}
      placeholder={fallback ?? ''}
    />
  );
}

interface PlainProps extends ControlOf {
  readonly onTyping?: (isTyping: boolean) => void;
}

/** Grows with what is written. */
export function PlainControl(props: PlainProps) {
  const { value, fallback, onChange, control, label, disabled, onTyping } = props;
  const buffer = useBuffered(shown(value), (text) => onChange(text.trim() === '' ? undefined : text));
  const lines = Math.min(
    8,
    Math.max(1, Math.ceil(buffer.value.length / 38), buffer.value.split('\n').length),
  );
  return (
    <span className={styles.expression}>
      <TextArea
        {...control}
        {...buffer}
        onFocus={() => onTyping?.(true)}
        onBlur={() => {
          buffer.onBlur();
          onTyping?.(false);
        }}
        isCode
        rows={lines}
        placeholder={fallback ?? ''}
        aria-label={label}
        disabled={disabled}
        spellCheck={false}
        autoComplete="off"
      />
    </span>
  );
}
