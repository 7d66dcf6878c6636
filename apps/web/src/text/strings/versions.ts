/** Words of versions: what is shown, how the draft stands to what runs, what differs. */
const ASPECTS: Readonly<Record<string, string>> = {
  name: 'name',
  type: 'type',
  config: 'settings',
  code: 'code',
  keyBy: 'key',
  inputs: 'inputs',
  outputs: 'outputs',
  switches: 'switches',
  parameters: 'parameters',
};

export const versionWords = {
  switch: {
    label: 'What is shown',
    draft: 'Draft',
    running: (number: number) => `Running v${number}`,
    deployed: (number: number) => `Deployed v${number}`,
    other: (number: number) => `Version ${number}`,
    nothing: 'Nothing is deployed yet',
  },
  banner: {
    runs: (number: number) => `Version ${number}, as it runs. It cannot be changed; the draft can.`,
    deployed: (number: number) =>
      `Version ${number}, which was deployed last. It cannot be changed; the draft can.`,
    other: (number: number) => `Version ${number}. It cannot be changed; the draft can.`,
    newer: (number: number) => `Version ${number} runs now.`,
    showNewer: 'Show it',
    compare: 'Compare with the draft',
    back: 'Back to the draft',
    readOnly: (number: number) => `This is version ${number}. Versions cannot be changed: edit the draft.`,
    missing: (number: number) => `There is no version ${number} of this pipeline`,
    missingHint: 'It may belong to another pipeline.',
  },
  standing: {
    new: 'not deployed',
    newHint: (version: number) => `Not in version ${version}, which is deployed: it has no numbers yet.`,
    changed: (version: number, aspects: readonly string[]) =>
      `Changed since version ${version}: ${changeWords(aspects)}`,
    gone: 'removed',
    goneHint: (version: number) =>
      `Removed from the draft; still in version ${version}, which is deployed. The next deploy takes it away.`,
  },
} as const;

/** `code, settings`: what of a node differs, for people. */
export const changeWords = (aspects: readonly string[]): string =>
  aspects.map((aspect) => ASPECTS[aspect] ?? aspect).join(', ');
