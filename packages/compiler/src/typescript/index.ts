export type { CheckRequest, CheckResult, RawDiagnostic } from './check-request.ts';
export type { Installed } from './installed.ts';
export { typeCheckSteps } from './type-check.ts';
export type { EarlierProgram } from './virtual-program.ts';
