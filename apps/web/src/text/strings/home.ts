/** What people read in `home/`. */
export const homeWords = {
  // card-actions
  isDeleted: (name: string) => `${name} is deleted.`,
  undo: 'Undo',
  askDelete: (name: string) => `Delete ${name}?`,
  itLeavesTheList:
    'It leaves the list with its versions and state. For 30 days it can be restored. A pipeline that runs must be stopped first.',
  renameOne: (name: string) => `Rename ${name}`,
  tagsOf: (name: string) => `Tags of ${name}`,
  saveTheTags: 'Save the tags',
  tags: 'Tags',
  separatedByCommas: 'Separated by commas.',
  exporting: (name: string) => `Exporting ${name}…`,
  copying: (name: string) => `Copying ${name}…`,
  // card-grid
  loadingThePipelines: 'Loading the pipelines',
  // card-numbers
  in: 'In',
  recordsASecond: (rate: string) => `${rate} records a second`,
  behind: 'Behind',
  behindAbout: 'Of the node that is farthest behind in event time',
  errors: 'Errors',
  couldNotBeProcessed: (errors: string) => `${errors} records could not be processed`,
  recordsInASecondLast: 'Records in a second, last two minutes',
  // empty-home
  noPipelinesYet: 'No pipelines yet',
  whoMayEditHereMakes: 'Who may edit here makes the first one; you will see it run.',
  waysToBegin: 'Ways to begin',
  drawYourFirstPipeline: 'Draw your first pipeline',
  dataFlows: 'Data flows in from the left, is worked on, and flows out at the right.',
  startBlank: 'Start blank',
  anEmptyCanvasAdd: 'An empty canvas: add a source and go on from there.',
  takeASample: 'Take a sample',
  eachRunsOnSampleData: 'Each runs on sample data; make one yours and change it.',
  importAZip: 'Import a zip',
  whatItHoldsIsShown: 'What it holds is shown before anything is made.',
  // home-page
  lastEdited: 'Last edited',
  newest: 'Newest',
  searchPipelines: 'Search pipelines',
  searchNamesCodeSettings: 'Search names, code, settings',
  thePipelinesCannotBeListed: 'The pipelines cannot be listed',
  nothingMatches: 'Nothing matches',
  showAllPipelines: 'Show all pipelines',
  allWords: 'All words must be in the name, description, tags, code or settings of a pipeline.',
  samples: 'Samples',
  theyRunOnSampleData: 'They run on sample data. Look at them as they are, or make one yours.',
  // import-dialog
  importAPipeline: 'Import a pipeline',
  fromAZipThatMillrace: 'From a zip that Millrace exported, or of a pipeline’s folder.',
  import: 'Import',
  dropAZipHere: 'Drop a zip here, or choose one',
  // import-preview
  aPipelineHere: 'A pipeline here has the id of this archive. What you import becomes a copy.',
  parts: (nodes: number, streams: number, files: number) =>
    [counted(nodes, 'node'), counted(streams, 'stream'), counted(files, 'file')].join(', '),
  nothingChanges: 'Nothing is different from this draft.',
  stay: (count: number) => (count === 1 ? 'One node stays as it is.' : `${count} nodes stay as they are.`),
  secretsToBindBefore: 'Secrets to bind before it runs',
  problemsToMend: (errors: number) =>
    `${errors} ${errors === 1 ? 'problem' : 'problems'}; it can be imported and mended here`,
  // miniature
  nothingDrawnYet: 'Nothing drawn yet',
  // new-pipeline
  newPipeline: 'New pipeline',
  blank: 'Blank',
  importZipItem: 'Import a zip…',
  // pipeline-card
  sample: 'Sample',
  edited: 'edited',
  makeItMine: 'Make it mine',
  actionsOf: (name: string) => `Actions of ${name}`,
  versionDeployed: (version: number) => `Version ${version} is deployed.`,
  duplicate: 'Duplicate',
  changeTags: 'Change tags',
  exportAsZip: 'Export as zip',
  fromASample: 'From a sample',
  templatesOf: (group: string) => `${group} templates`,
  showMore: 'Show more',
  // deleted-page
  deletedPipelines: 'Deleted pipelines',
  deletedAbout: 'Each stays for 30 days with its draft, versions and state. Then it is gone for good.',
  nothingIsDeleted: 'Nothing is deleted',
  nothingIsDeletedAbout: 'A pipeline that is deleted waits here for 30 days.',
  toThePipelines: 'To the pipelines',
  pipeline: 'Pipeline',
  deleted: 'Deleted',
  by: (name: string) => `by ${name}`,
  keptUntil: 'Kept until',
  actions: 'Actions',
  restore: 'Restore',
  isRestored: (name: string) => `${name} is back.`,
  purge: (name: string) => `Delete ${name} for good`,
  askPurge: (name: string) => `Delete ${name} for good?`,
  deleteForGood: 'Delete for good',
  purgeAbout:
    'Its draft, versions, state, numbers and dead letters are taken away. Nothing of it can be brought back.',
  // tag-filter
  tagWithCount: (tag: string, count: number) => `${tag} · ${count}`,
  allTags: 'All tags',
  // templates
  templates: 'Templates',
  templatesAbout: 'Pipelines to begin with, each with the data it reads.',
  templateCount: (count: number) => `${count} ${count === 1 ? 'template' : 'templates'}`,
  beginWithIt: 'Make a pipeline of it and open it',
  // use-create
  notMade: (reason: string) => `The pipeline was not made. ${reason}`,
} as const;

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;
