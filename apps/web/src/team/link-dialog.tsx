import { formatMoment } from '../text/format-time.ts';
import { commonWords } from '../text/strings/common.ts';
import { teamWords } from '../text/strings/team.ts';
import { Button } from '../ui/button.tsx';
import { CopyField } from '../ui/copy-field.tsx';
import { Dialog } from '../ui/dialog.tsx';

export interface ShownLink {
  readonly title: string;
  readonly url: string;
  readonly expiresAt: number;
}

/** A link that is shown once: the server keeps only its hash. */
export const LinkDialog = ({
  link,
  onClose,
}: {
  readonly link: ShownLink | undefined;
  readonly onClose: () => void;
}) =>
  link && (
    <Dialog
      open
      onClose={onClose}
      title={link.title}
      about={teamWords.sendThisLink(formatMoment(link.expiresAt))}
      actions={
        <Button look="primary" onClick={onClose}>
          {commonWords.done}
        </Button>
      }
    >
      <CopyField label={teamWords.link} value={link.url} />
    </Dialog>
  );
