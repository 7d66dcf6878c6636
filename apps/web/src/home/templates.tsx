import { ChevronRight, Copy } from 'lucide-react';
import { useId, useState } from 'react';
import { useMay } from '../shell/session-store.ts';
import { homeWords } from '../text/strings/home.ts';
import { Icon } from '../ui/icon.tsx';
import { Prose } from '../ui/prose.tsx';
import { groupsOf, type Template, type TemplateGroup } from './template-groups.ts';
import styles from './templates.module.css';
import { useCreate } from './use-create.ts';

export interface TemplatesProps {
  readonly templates: readonly Template[];
  /** They are what is left of a search: nothing is folded then. */
  readonly isSearching: boolean;
}

/** A fold each group, so that many of a kind do not stand between somebody and the rest. */
export function Templates({ templates, isSearching }: TemplatesProps) {
  return (
    <section className={styles.section} aria-labelledby="templates">
      <h2 id="templates">{homeWords.templates}</h2>
      <p className={styles.about}>{homeWords.templatesAbout}</p>
      {groupsOf(templates).map((group) => (
        <Group key={group.name} group={group} isSearching={isSearching} />
      ))}
    </section>
  );
}

interface GroupProps {
  readonly group: TemplateGroup;
  readonly isSearching: boolean;
}

function Group({ group: { name, description, templates }, isSearching }: GroupProps) {
  const [isUnfolded, setUnfolded] = useState(false);
  const list = useId();
  const isOpen = isUnfolded || isSearching;
  return (
    <div className={styles.group}>
      <button
        type="button"
        className={styles.fold}
        aria-expanded={isOpen}
        aria-controls={list}
        disabled={isSearching}
        onClick={() => setUnfolded(!isUnfolded)}
      >
        <span className={styles.arrow} data-open={isOpen}>
          <Icon of={ChevronRight} />
        </span>
        <strong>{name}</strong>
        <span className={styles.count}>{homeWords.templateCount(templates.length)}</span>
      </button>
      <div className={styles.groupAbout}>
        <Prose text={description} />
      </div>
      <ul id={list} className={styles.list} hidden={!isOpen}>
        {isOpen && templates.map((template) => <Entry key={template.name} template={template} />)}
      </ul>
    </div>
  );
}

function Entry({ template: { name, title, description } }: { readonly template: Template }) {
  const mayWrite = useMay('graph.write');
  const create = useCreate();
  return (
    <li>
      <button
        type="button"
        className={styles.entry}
        disabled={!mayWrite || create.busy}
        title={mayWrite ? homeWords.beginWithIt : undefined}
        onClick={() => void create.run({ sample: name })}
      >
        <Icon of={Copy} />
        <span>
          <strong>{title}</strong>
          <span className={styles.what}>{description}</span>
        </span>
      </button>
    </li>
  );
}
