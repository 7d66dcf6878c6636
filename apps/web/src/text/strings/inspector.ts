/** What people read in `editor/inspector/`. */
export const inspectorWords = {
  delete: 'Delete',
  name: 'Name',
  // node-inspector
  node: 'Node',
  settings: 'Settings',
  code: 'Code',
  unknownType: (type: string) => `There is no node of the type ${type} in this Millrace.`,
  editCode: 'Edit code',
  showCode: 'Show code',
  // turn-into-code
  turnIntoCode: 'Turn into code',
  turnIntoCodeAbout: 'Becomes a computation that does the same, to be changed as you like.',
  valuesAreFixed: (names: readonly string[]) =>
    names.length === 1
      ? `The parameter ${names[0]} is replaced by its value.`
      : `The parameters ${names.join(', ')} are replaced by their values.`,
  // guarantees
  guarantees: 'Guarantees',
  exactlyOnce: 'Exactly once',
  exactlyOnceAbout:
    'A record that comes twice is noticed and counted once. In this version that stays so with the switch off, too.',
  strong: 'Strong productions',
  strongAbout:
    'Results are stored before they go to another worker. Off, they go first, which is faster; a worker that is lost then takes those with it that it sent to. State and sinks stay exact; what code does outside of the pipeline may be done twice.',
  idempotent: 'Idempotent',
  idempotentAbout: 'Your word that running a record twice does no harm.',
  // node-live
  now: 'Now',
  watermark: 'Watermark',
  waitsForOthers: 'Reading waits',
  ahead: (span: string) => `${span} ahead of the slowest`,
  aheadOfUnknown: 'for a source that has not reported',
  in: 'In',
  out: 'Out',
  busy: 'Busy',
  waiting: 'Waiting',
  late: 'Late',
  deadLetters: 'Dead letters',
  openOf: (open: string, all: string) => `${open} open · ${all} in all`,
  rateAndCount: (rate: string, count: string) => `${rate} · ${count} in all`,
  percent: (share: number) => `${Math.round(100 * share)} %`,
  // note-inspector
  note: 'Note',
  text: 'Text',
  // pipeline-inspector
  pipeline: 'Pipeline',
  size: (nodes: number, streams: number) => `${counted(nodes, 'node')} · ${counted(streams, 'stream')}`,
  keys: 'On the canvas',
  addANode: 'Add a node',
  connect: 'Connect the active node',
  rename: 'Rename',
  deleteAndJoin: 'Delete and join what is left',
  undo: 'Undo',
  showAll: 'Show all',
  // parameters
  parameters: 'Parameters',
  parametersAbout: 'Values that settings and code take from one place, and that a run can override.',
  parameterName: 'Name of the parameter',
  parameterType: 'Type',
  parameterDefault: 'Default',
  parameterHelp: 'What it is for',
  mustBeGiven: 'must be given',
  addParameter: 'Add a parameter',
  removeParameter: (name: string) => `Delete ${name}`,
  usedBy: (nodes: readonly string[]) =>
    nodes.length === 0 ? 'No setting takes it yet.' : `Taken by ${nodes.join(', ')}.`,
  nameTaken: (name: string) => `There is a parameter ${name} already.`,
  badParameterName: 'Letters, digits and _, a letter first.',
  notOfType: (expected: string) => `Must be ${expected}.`,
  yes: 'yes',
  no: 'no',
  // several-inspector
  selection: 'Selection',
  selected: 'selected',
  severalNodes: (count: number) => counted(count, 'node'),
  severalNotes: (count: number) => counted(count, 'note'),
  layOut: 'Lay out',
  group: 'Group',
  groupOf: (nodes: number) => `Group · ${counted(nodes, 'node')}`,
  fold: 'Fold',
  unfold: 'Unfold',
  ungroup: 'Ungroup',
  duplicate: 'Duplicate',
  // stream-inspector
  stream: 'Stream',
  keepsKey: 'keeps the key records have',
  by: (key: string) => `by ${key}`,
  from: 'From',
  to: 'To',
  flows: 'Type',
  unknownFlows: 'Nothing is known of these values: give their injector a type.',
  checkingType: 'checking…',
  key: 'Key',
  keyAbout:
    'TypeScript over value and record. Records of one key are worked on in order, with one state. Empty: the key stays.',
  keyExample: 'value.userId',
  // form
  optional: 'optional',
  helpOf: (label: string, help: string) => `${label}: ${help}`,
  moreSettings: (count: number) => `${count} more ${count === 1 ? 'setting' : 'settings'}`,
  choose: 'choose…',
  byDefault: (value: string) => `${value} (default)`,
  notSet: 'not set',
  wordsOr: (options: readonly string[]) => options.join(' or '),
  remove: 'Remove',
  removeNamed: (name: string) => `Remove ${name}`,
  nameOf: (label: string) => `${label} name`,
  add: 'Add',
  outputField: 'Output field',
  howComputed: (name: string) => `How ${name} is computed`,
  figureOf: (name: string) => `${name} of`,
  // where a value comes from
  source: (label: string) => `Where ${label} comes from`,
  aValue: 'A value written here',
  fromParameter: 'From a parameter',
  parameterWithDefault: (name: string, value: string) => `${name} · ${value}`,
  newParameter: 'New parameter of this value',
  fromSecret: 'From a secret',
  parameter: 'parameter',
  writeValue: 'Write a value instead',
  noSuchParameter: 'There is no such parameter.',
  // secrets
  chooseSecret: 'choose a secret…',
  nameOfSecret: 'name of a secret',
  newSecret: 'New secret…',
  secretMissing: 'not in this workspace',
  secretIsMissing: (name: string) => `This workspace has no secret ${name}: a deploy would fail.`,
  literalInSecret:
    'A secret stands here in the open. Write it as a secret and choose its name; what is in a draft is seen by all who may read it.',
  noSecrets: 'This workspace has no secrets yet. Who manages settings can add one.',
  writeAsText: 'Write it as text',
  takeFromSecret: 'Take it from a secret',
} as const;

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
