import { ChevronDown, Copy, FileArchive, FilePlus2, LayoutTemplate, Plus } from 'lucide-react';
import { useState } from 'react';
import { homeWords } from '../text/strings/home.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Menu, MenuItem, MenuLabel, MenuSeparator, MenuSub } from '../ui/menu.tsx';
import { ImportDialog } from './import-dialog.tsx';
import type { Pipeline } from './pipeline-card.tsx';
import { groupsOf, type Template } from './template-groups.ts';
import { useCreate } from './use-create.ts';

export interface NewPipelineProps {
  readonly samples: readonly Pipeline[];
  readonly templates: readonly Template[];
}

/** Blank, from a file, or as one of the samples or templates. */
export function NewPipeline({ samples, templates }: NewPipelineProps) {
  const [isImporting, setImporting] = useState(false);
  const create = useCreate();
  return (
    <>
      <Menu
        trigger={
          <Button look="primary" icon={Plus} busy={create.busy}>
            {homeWords.newPipeline} <Icon of={ChevronDown} size={14} />
          </Button>
        }
      >
        <MenuItem icon={FilePlus2} onSelect={() => void create.run({})}>
          {homeWords.blank}
        </MenuItem>
        <MenuItem icon={FileArchive} onSelect={() => setImporting(true)}>
          {homeWords.importZipItem}
        </MenuItem>
        {samples.length > 0 && (
          <>
            <MenuSeparator />
            <MenuLabel>{homeWords.fromASample}</MenuLabel>
          </>
        )}
        {samples.map(
          ({ id, name, sample }) =>
            sample && (
              <MenuItem key={id} icon={Copy} onSelect={() => void create.run({ sample })}>
                {name}
              </MenuItem>
            ),
        )}
        {templates.length > 0 && <MenuSeparator />}
        {groupsOf(templates).map((group) => (
          <MenuSub key={group.name} icon={LayoutTemplate} label={homeWords.templatesOf(group.name)}>
            {group.templates.map(({ name, title }) => (
              <MenuItem key={name} icon={Copy} onSelect={() => void create.run({ sample: name })}>
                {title}
              </MenuItem>
            ))}
          </MenuSub>
        ))}
      </Menu>
      <ImportDialog open={isImporting} onClose={() => setImporting(false)} />
    </>
  );
}
