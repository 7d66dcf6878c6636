export type { CheckRequest, CheckResult, RawDiagnostic } from '../typescript/check-request.ts';
export { withoutEchoes } from './diagnostic-issue.ts';
export { checkRequest, resultIssues, untypedIssues } from './folder-issues.ts';
export { keyByPath, layoutProject, type Project } from './layout-project.ts';
export { operatorCode, operatorFile } from './operator-files.ts';
export { COMPILER_OPTIONS, GLOBALS_FILE } from './options.ts';
export { PRELUDE, PRELUDE_PATH } from './prelude.ts';
export type { Origin, ProjectFile, ProjectFiles, Span } from './project.ts';
export { streamType } from './value-types.ts';
