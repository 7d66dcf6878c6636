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

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'no-deep-imports',
      comment: "Another package's files are reached through its exports only.",
      severity: 'error',
      from: { path: '^(packages|apps)/([^/]+)/' },
      to: { path: '^(packages|apps)/', pathNot: '^$1/$2/', dependencyTypes: ['local'] },
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
    exclude: { path: '(^|/)(dist|node_modules)/' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['millrace-source', 'import', 'node', 'default'],
    },
  },
};
