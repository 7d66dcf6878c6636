export { type Deploy, type DeployOutcome, deploy } from './deploy/deploy.ts';
export { type DeployPlan, decideDeploy, type NodePlan } from './deploy/deploy-decision.ts';
export { planDeploy } from './deploy/plan-deploy.ts';
export { mappingDeadLetters } from './run/mapped-dead-letters.ts';
export { trySources } from './run/try-sources.ts';
export { type CaseReport, exactText } from './user-code/case-report.ts';
export { nodeOfCase, strayRecords } from './user-code/cases-of-folder.ts';
export { type MapStack, placeMapper, stackMapper, withoutMap } from './user-code/map-stack.ts';
export type { FilteredRecord } from './user-code/messages.ts';
export { openUserCode } from './user-code/open-user-code.ts';
export {
  type Filtered,
  filterLauncher,
  type OpenedFilter,
  openRecordFilter,
  type RecordFilter,
} from './user-code/record-filter.ts';
export { type TriedCode, triedCode } from './user-code/tried-code.ts';
export type { CaseOutcome, NodeFacts, Program, UserCode } from './user-code/user-code.ts';
export {
  type BuiltVersion,
  buildVersion,
  builtOf,
  type CheckedPipeline,
  planOf,
  storedFiles,
  storedPlan,
  versionOf,
} from './version/build-version.ts';
