import type { LucideIcon } from 'lucide-react';
import styles from './icon.module.css';

export interface IconProps {
  readonly of: LucideIcon;
  readonly size?: number;
  /** Said to who cannot see it; without it the icon is decoration beside a word. */
  readonly label?: string;
}

/** Every icon of the product: lucide, 16 px, a stroke of 1.5. */
export function Icon({ of: Glyph, size = 16, label }: IconProps) {
  return (
    <Glyph
      className={styles.icon}
      size={size}
      strokeWidth={1.5}
      absoluteStrokeWidth
      {...(label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': true })}
    />
  );
}
