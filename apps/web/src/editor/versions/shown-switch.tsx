import { versionWords } from '../../text/strings/versions.ts';
import { Segmented } from '../../ui/segmented.tsx';
import { runningVersion } from '../deploy/deployed-store.ts';
import { useDeployed, useEditor } from '../editor-context.tsx';
import { useShow } from './address.ts';

const { switch: words } = versionWords;

/** Draft | Running vN, and the version that is shown where it is another. Absent as long as nothing was deployed. */
export function ShownSwitch() {
  const { showing } = useEditor();
  const show = useShow();
  const deployment = useDeployed((state) => state.deployment);
  const running = deployment == null ? undefined : runningVersion(deployment);
  const shown = showing.kind === 'version' ? showing.number : undefined;
  if (running === undefined && shown === undefined) return null;
  const isOther = shown !== undefined && shown !== running;
  const runs = deployment?.desired !== 'stopped';
  return (
    <Segmented
      label={words.label}
      value={shown === undefined ? 'draft' : isOther ? 'other' : 'running'}
      options={[
        { value: 'draft', label: words.draft },
        ...(running === undefined
          ? []
          : [{ value: 'running', label: runs ? words.running(running) : words.deployed(running) }]),
        ...(isOther ? [{ value: 'other', label: words.other(shown) }] : []),
      ]}
      onChange={(next) => {
        if (next === 'draft') show({});
        else if (next === 'running') show({ version: running });
      }}
    />
  );
}
