import { ChevronDown, FileArchive, FilePlus2, Plus } from 'lucide-react';
import { useState } from 'react';
import { homeWords } from '../text/strings/home.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { ImportDialog } from './import-dialog.tsx';
import { useCreate } from './use-create.ts';

/** Blank or from a file; samples are offered below, where one sees them. */
export function NewPipeline() {
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
      </Menu>
      <ImportDialog open={isImporting} onClose={() => setImporting(false)} />
    </>
  );
}
