import type { AnswerOf, RouteOf } from '@millrace/protocol/api';
import { Copy, Download, Ellipsis, Pencil, Tags, Trash2 } from 'lucide-react';
import { useRef } from 'react';
import { Link } from 'react-router';
import { useMay, useMe } from '../shell/session-store.ts';
import { formatFull } from '../text/format-number.ts';
import { commonWords } from '../text/strings/common.ts';
import { homeWords } from '../text/strings/home.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { classNames } from '../ui/class-names.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { Menu, MenuItem, MenuSeparator } from '../ui/menu.tsx';
import { type RunState, RunStateBadge } from '../ui/run-state.tsx';
import { WallTime } from '../ui/time.tsx';
import { CardNumbers } from './card-numbers.tsx';
import { Miniature } from './miniature.tsx';
import styles from './pipeline-card.module.css';
import { useLiveSummary } from './use-live-summary.ts';
import { useInSight } from './when-in-sight.ts';

export type Pipeline = AnswerOf<RouteOf<'pipelines.get'>>;

export type CardAction = 'duplicate' | 'rename' | 'tags' | 'export' | 'delete';

export interface PipelineCardProps {
  readonly pipeline: Pipeline;
  /** The name of who made it, where it is a person. */
  readonly owner: string | undefined;
  readonly onAction: (action: CardAction, pipeline: Pipeline) => void;
}

export function PipelineCard({ pipeline, owner, onAction }: PipelineCardProps) {
  const { id, name, description, deployment, updatedAt, readOnly, draftRevision, tags } = pipeline;
  const { workspace } = useMe();
  const card = useRef<HTMLElement>(null);
  const isSeen = useInSight(card);
  const live = useLiveSummary(id, deployment !== null && isSeen);
  const state = live.state ?? (deployment?.observed as RunState | undefined) ?? 'none';
  const reason = live.state ? live.reason : (deployment?.reason ?? undefined);
  const version = live.version ?? deployment?.running ?? deployment?.version;
  // What is deployed may come to have a reason to tell, and nothing moves then.
  const isBare = description === '' && deployment === null;
  return (
    <article ref={card} className={classNames(styles.card, isBare && styles.bare)}>
      <Miniature pipeline={id} draftRevision={draftRevision} />
      <div className={styles.head}>
        <h2 className={styles.name}>
          <Link to={`/w/${workspace.id}/p/${id}`} className={styles.link}>
            {name}
          </Link>
        </h2>
        <RunStateBadge state={state} />
        <CardMenu pipeline={pipeline} onAction={onAction} />
      </div>
      {isBare || (
        <p className={styles.about} title={state === 'failed' ? reason : undefined}>
          {state === 'failed' && reason ? (
            <span className={styles.failure}>{reason}</span>
          ) : (
            plain(description) || (version !== undefined && homeWords.versionDeployed(version))
          )}
        </p>
      )}
      <CardNumbers live={live} />
      <footer className={styles.foot}>
        {readOnly ? (
          <>
            <Badge>{homeWords.sample}</Badge>
            <span className={styles.space} />
            <MakeItMine pipeline={pipeline} onAction={onAction} />
          </>
        ) : (
          <>
            {owner && <Avatar name={owner} size={20} />}
            <span className={styles.edited}>
              {owner && `${owner} · `}
              {homeWords.edited} <WallTime at={updatedAt} as="ago" />
            </span>
            <span className={styles.tags}>
              {tags.slice(0, 2).map((tag) => (
                <Badge key={tag}>{tag}</Badge>
              ))}
              {tags.length > 2 && <Badge>+{formatFull(tags.length - 2)}</Badge>}
            </span>
          </>
        )}
      </footer>
    </article>
  );
}

type CardProps = Pick<PipelineCardProps, 'pipeline' | 'onAction'>;

const MakeItMine = ({ pipeline, onAction }: CardProps) =>
  useMay('graph.write') && (
    <span className={styles.above}>
      <Button size="small" icon={Copy} onClick={() => onAction('duplicate', pipeline)}>
        {homeWords.makeItMine}
      </Button>
    </span>
  );

function CardMenu({ pipeline, onAction }: CardProps) {
  const mayWrite = useMay('graph.write');
  const { readOnly } = pipeline;
  const act = (action: CardAction) => () => onAction(action, pipeline);
  return (
    <span className={styles.above}>
      <Menu trigger={<IconButton icon={Ellipsis} label={homeWords.actionsOf(pipeline.name)} size="small" />}>
        {mayWrite && (
          <>
            <MenuItem icon={Copy} onSelect={act('duplicate')}>
              {homeWords.duplicate}
            </MenuItem>
            <MenuItem icon={Pencil} disabled={readOnly} onSelect={act('rename')}>
              {commonWords.rename}
            </MenuItem>
            <MenuItem icon={Tags} disabled={readOnly} onSelect={act('tags')}>
              {homeWords.changeTags}
            </MenuItem>
          </>
        )}
        <MenuItem icon={Download} onSelect={act('export')}>
          {homeWords.exportAsZip}
        </MenuItem>
        {mayWrite && (
          <>
            <MenuSeparator />
            <MenuItem icon={Trash2} isDanger onSelect={act('delete')}>
              {commonWords.delete}
            </MenuItem>
          </>
        )}
      </Menu>
    </span>
  );
}

/** Descriptions are Markdown; a card shows their words. */
const plain = (markdown: string): string =>
  markdown.replace(/`|\*\*|^#+ |^> /gm, '').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1');
