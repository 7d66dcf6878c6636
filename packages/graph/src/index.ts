export { type AppliedParameters, applyParameters, parameterOf } from './config-parameters.ts';
export {
  type DiffSide,
  diffPipelines,
  type NodeAspect,
  type NodeChange,
  type PipelineDiff,
  type StreamChange,
} from './diff-pipelines.ts';
export { DURATION_FORMS, durationSetting, formatDuration, parseDuration } from './durations.ts';
export {
  codePathFault,
  type FileRole,
  fileRole,
  LAYOUT_FILE,
  MAX_FOLDER_CHARACTERS,
  PIPELINE_FILE,
  type PipelineFiles,
} from './folder/files.ts';
export { hashFolder, hashProgram } from './folder/hash.ts';
export { writeFolder } from './folder/write-folder.ts';
export { type IdPrefix, isId, mintId, type Random } from './ids.ts';
export { hasErrors, type Issue, sortIssues } from './issue.ts';
export { canonicalJson } from './json/canonical-json.ts';
export { type JsonProblem, type ParsedJson, parseJson } from './json/parse-json.ts';
export { type JsonPath, type JsonPositions, lineIndex, type Position } from './json/positions.ts';
export { type JsonMember, type JsonToken, memberOf, plainValue, setOwn } from './json/token.ts';
export type { NodeTypeSpec, NodeTypes, Settings } from './node-types.ts';
export { type AggregateConfig, aggregateConfig, aggregateSetting } from './operators/aggregate.ts';
export { expressionSetting } from './operators/settings.ts';
export { builtInTypes, nodeTypes } from './operators.ts';
export {
  expected,
  isParameterName,
  type Overrides,
  PARAMETER_TYPES,
  type Parameter,
  type ParameterProblem,
  type ParameterType,
  type ParameterValue,
  type ResolvedParameters,
  readParameter,
  resolveParameters,
} from './parameters.ts';
export { FORMAT, identityOf, type Node, type Pipeline, type Port, type Stream } from './pipeline.ts';
export { compilePlan } from './plan/compile-plan.ts';
export type { NodeKind, PlanNode, PlanStream, RunPlan } from './plan/run-plan.ts';
export { dataflowOrder } from './plan/topological-order.ts';
export { type PipelineFolder, readFolder } from './read/read-folder.ts';
export {
  isSecretName,
  SECRET_LITERAL,
  type SecretReference,
  secretNames,
  secretOf,
  secretSetting,
} from './secrets.ts';
export { checkAsOperators, type WrittenOperators } from './validate/check-as-operators.ts';
export { validateFolder } from './validate/validate-folder.ts';
