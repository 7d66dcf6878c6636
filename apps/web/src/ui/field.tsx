import { CircleAlert } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import styles from './field.module.css';
import { Icon } from './icon.tsx';

export interface FieldProps {
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
  /** At the right of the label: optional, a link, a unit. */
  readonly aside?: ReactNode;
  /** Gets what the control must carry, so that label, hint and error belong to it. */
  readonly children: (control: ControlProps) => ReactNode;
}

export interface ControlProps {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': true | undefined;
}

/** A label over a control, a hint under it, and in its place what is wrong. */
export function Field({ label, hint, error, aside, children }: FieldProps) {
  const id = useId();
  const about = `${id}-about`;
  const hasAbout = error !== undefined || hint !== undefined;
  return (
    <div className={styles.field}>
      <div className={styles.head}>
        <label htmlFor={id} className={styles.label}>
          {label}
        </label>
        {aside && <span className={styles.aside}>{aside}</span>}
      </div>
      {children({
        id,
        'aria-describedby': hasAbout ? about : undefined,
        'aria-invalid': error === undefined ? undefined : true,
      })}
      {error !== undefined ? (
        <p id={about} className={styles.error}>
          <Icon of={CircleAlert} size={14} />
          {error}
        </p>
      ) : (
        hint !== undefined && (
          <p id={about} className={styles.hint}>
            {hint}
          </p>
        )
      )}
    </div>
  );
}
