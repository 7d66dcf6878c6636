export { withRemedy } from '../typescript/remedies.ts';
export { checkTargets, diagnosticIssue, withoutEchoes } from './diagnostic-issue.ts';
export { keyByPath, layoutProject, type Project } from './layout-project.ts';
export { operatorFile } from './operator-files.ts';
export { COMPILER_OPTIONS, GLOBALS_FILE } from './options.ts';
export { PRELUDE, PRELUDE_PATH } from './prelude.ts';
export type { Origin, ProjectFile, ProjectFiles, Span } from './project.ts';
