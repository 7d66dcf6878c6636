// The import rules of docs/ARCHITECTURE.md. `own` names which of our packages a package may import.
const own = {
  'packages/graph': [],
  'packages/sdk': [],
  'packages/protocol': [],
  'packages/document': ['packages/graph'],
  'packages/compiler': ['packages/graph', 'packages/sdk'],
  'packages/engine': ['packages/graph', 'packages/sdk', 'packages/protocol'],
  'packages/sandbox': ['packages/engine', 'packages/protocol'],
  'packages/store': ['packages/engine', 'packages/protocol'],
  'packages/connectors': ['packages/graph', 'packages/engine'],
  'packages/deployment': [
    'packages/graph',
    'packages/compiler',
    'packages/engine',
    'packages/sandbox',
    'packages/sdk',
  ],
};

/** Of the page: who alone may import what, so that each library has one place where it is tamed. */
const onlyIn = {
  document: ['yjs', 'y-monaco', 'y-protocols'],
  sockets: ['socket.io-client'],
  'editor/canvas': ['@xyflow/react'],
  'editor/code': ['monaco-editor', 'y-monaco'],
  ui: ['radix-ui'],
};

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'resolvable',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '\\?(worker|url|raw)$' },
    },
    {
      name: 'no-deep-imports',
      comment: "Another package's files are reached through its exports only.",
      severity: 'error',
      from: { path: '^(packages|apps)/([^/]+)/' },
      to: { path: '^(packages|apps)/', pathNot: '^$1/$2/', dependencyTypes: ['local'] },
    },
    ...[...new Set(Object.values(onlyIn).flat())].map((library) => {
      const folders = Object.keys(onlyIn).filter((folder) => onlyIn[folder].includes(library));
      return {
        name: `only-one-folder-imports-${library.replace(/[@/]/g, '')}`,
        comment: `In the page only ${folders.join(' and ')} may; types may go further.`,
        severity: 'error',
        from: {
          path: '^apps/web/src/',
          pathNot: [...folders.map((folder) => `^apps/web/src/${folder}/`), '\\.test\\.ts$'],
        },
        to: { path: `^node_modules/${library}/`, dependencyTypesNot: ['type-only'] },
      };
    }),
    {
      name: 'the-page-imports-what-browsers-run',
      comment: 'No Node, no server, no engine: only data, types and pure code.',
      severity: 'error',
      from: { path: '^apps/web/src/', pathNot: '\\.test\\.ts$' },
      to: {
        path: '^(packages/(engine|sandbox|store|deployment|bench)|apps/(server|cli|engine-host))/',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'the-page-has-no-node',
      severity: 'error',
      from: { path: '^apps/web/src/', pathNot: '\\.test\\.ts$' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'the-design-system-knows-no-feature',
      severity: 'error',
      from: { path: '^apps/web/src/ui/' },
      to: { path: '^apps/web/src/(?!ui/|text/)' },
    },
    ...Object.entries(own).map(([from, allowed]) => ({
      name: `imports-of-${from.split('/')[1]}`,
      severity: 'error',
      from: { path: `^${from}/src`, pathNot: '\\.test\\.ts$' },
      to: { path: '^(packages|apps)/', pathNot: [`^${from}/`, ...allowed.map((a) => `^${a}/`)].join('|') },
    })),
    {
      name: 'worker-is-pure',
      comment: 'The data plane knows neither Node nor Deno nor the host.',
      severity: 'error',
      from: { path: '^packages/engine/src/worker', pathNot: '\\.test\\.ts$' },
      to: {
        path: '^packages/engine/src/(host|continuous)|^node:|^(fs|path|os|child_process)$',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'pure-packages-do-no-io',
      severity: 'error',
      from: { path: '^packages/(graph|sdk|document)/src', pathNot: '\\.test\\.ts$' },
      to: { dependencyTypes: ['core'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(packages|apps)/[^/]+/(dist|node_modules)/' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['millrace-source', 'import', 'node', 'default'],
    },
  },
};
