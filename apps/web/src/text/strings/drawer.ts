/** What people read in `editor/drawer/`. */
export const drawerWords = {
  drawer: 'Drawer',
  problems: 'Problems',
  code: 'Code',
  codeOf: (name: string) => `Code · ${name}`,
  records: 'Records',
  deadLetters: 'Dead letters',
  logs: 'Logs',
  metrics: 'Metrics',
} as const;
