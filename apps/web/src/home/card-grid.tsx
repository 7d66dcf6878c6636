import { homeWords } from '../text/strings/home.ts';
import { Skeleton } from '../ui/skeleton.tsx';
import styles from './card-grid.module.css';
import { type CardAction, type Pipeline, PipelineCard } from './pipeline-card.tsx';

export interface CardGridProps {
  readonly pipelines: readonly Pipeline[];
  /** Of accounts, by id. */
  readonly names: ReadonlyMap<string, string>;
  readonly onAction: (action: CardAction, pipeline: Pipeline) => void;
}

export const CardGrid = ({ pipelines, names, onAction }: CardGridProps) => (
  <ul className={styles.grid}>
    {pipelines.map((pipeline) => (
      <li key={pipeline.id} className={styles.cell}>
        <PipelineCard pipeline={pipeline} owner={names.get(pipeline.createdBy)} onAction={onAction} />
      </li>
    ))}
  </ul>
);

const COUNT = 6;

/** In the size of cards. */
export const CardSkeletons = () => (
  <ul className={styles.grid} aria-busy="true" aria-label={homeWords.loadingThePipelines}>
    {Array.from({ length: COUNT }, (_, i) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same
      <li key={i} className={styles.bones}>
        <div className={styles.picture} />
        <div className={styles.text}>
          <Skeleton width="50%" height={20} />
          <Skeleton height={32} />
          <Skeleton width="70%" height={32} />
        </div>
      </li>
    ))}
  </ul>
);
