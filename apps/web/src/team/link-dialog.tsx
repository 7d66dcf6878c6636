import { formatMoment } from '../text/format-time.ts';
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
      about={`Send this link. It is shown only now, and good once, until ${formatMoment(link.expiresAt)}.`}
      actions={
        <Button look="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <CopyField label="Link" value={link.url} />
    </Dialog>
  );
