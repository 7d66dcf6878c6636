import styles from './avatar.module.css';

export interface AvatarProps {
  readonly name: string;
  readonly size?: number;
}

/** Somebody's initials; the hue is theirs everywhere. */
export const Avatar = ({ name, size = 28 }: AvatarProps) => (
  <span
    className={styles.avatar}
    style={{ width: size, height: size, fontSize: size * 0.39, '--hue': hueOf(name) } as React.CSSProperties}
    data-initials={initialsOf(name)}
    aria-hidden="true"
  />
);

export function initialsOf(name: string): string {
  const words = name
    .trim()
    .split(/[\s@._-]+/u)
    .filter(Boolean);
  const [first = '?', second] = words;
  return (second ? [...first][0]! + [...second][0]! : [...first].slice(0, 2).join('')).toUpperCase();
}

/** In degrees, one of twelve: where only a class can be given, there is one for each. */
export function hueOf(name: string): number {
  let hash = 0;
  for (const letter of name) hash = (hash * 31 + letter.codePointAt(0)!) % 3600;
  return Math.floor(hash / 300) * 30;
}
