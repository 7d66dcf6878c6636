/** What people read in `editor/importing/`. */
export const importingWords = {
  title: 'Import into this draft',
  about:
    'From a zip that Millrace exported, or a pipeline’s folder. Nodes are matched by their id: what has the same id is changed, what is missing there is removed.',
  dropAZip: 'Drop a zip here, or choose one',
  chooseAFolder: 'Choose a folder',
  noPipelineIn: 'This folder holds no pipeline.json. Choose the folder that does.',
  import: 'Import',
  imported: 'Imported.',
  undo: 'Undo',
  editedMeanwhile: 'The draft was edited since. This is what the import changes now.',
} as const;
