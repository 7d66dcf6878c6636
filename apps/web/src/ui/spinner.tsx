import styles from './spinner.module.css';

/** Beside a word that says what is going on. */
export const Spinner = () => <span className={styles.spinner} aria-hidden="true" />;
