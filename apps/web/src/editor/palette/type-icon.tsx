import { Icon } from '../../ui/icon.tsx';
import { iconOf } from '../node-icons.tsx';
import { lookOf } from '../node-words.ts';
import styles from './type-icon.module.css';

/** The sign of a type on the wash of its kind. */
export const TypeIcon = ({ type, size = 28 }: { readonly type: string; readonly size?: 20 | 28 }) => (
  <span className={styles.icon} data-look={lookOf(type)} data-size={size}>
    <Icon of={iconOf(type)} size={size === 20 ? 14 : 16} />
  </span>
);
