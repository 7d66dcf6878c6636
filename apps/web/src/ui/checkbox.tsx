import { Check } from 'lucide-react';
import { Checkbox as Radix } from 'radix-ui';
import { type ReactNode, useId } from 'react';
import styles from './checkbox.module.css';

export interface CheckboxProps {
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly label: ReactNode;
  readonly about?: ReactNode;
  readonly disabled?: boolean;
}

export function Checkbox({ checked, onChange, label, about, disabled = false }: CheckboxProps) {
  const id = useId();
  return (
    <div className={styles.row}>
      <Radix.Root
        id={id}
        className={styles.box}
        checked={checked}
        disabled={disabled}
        onCheckedChange={(next) => onChange(next === true)}
      >
        <Radix.Indicator>
          <Check size={12} strokeWidth={2.5} aria-hidden="true" />
        </Radix.Indicator>
      </Radix.Root>
      <label htmlFor={id}>
        {label}
        {about && <span className={styles.about}>{about}</span>}
      </label>
    </div>
  );
}
