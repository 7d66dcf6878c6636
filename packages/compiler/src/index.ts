export { type BuiltBundle, type BundleOptions, buildBundle } from './build-bundle.ts';
export { type CheckOptions, checkFolder } from './check-folder.ts';
export { LIMITS, type Limits } from './child/run-in-child.ts';
export { type CompiledExpression, compileExpression } from './compile-expression.ts';
export { type GeneratedTypes, generateTypes } from './generate-types.ts';
export { readCompilerVersion } from './installed.ts';
export type { FailedNode, GeneratorExpression, PipelineCode, RecordExpression } from './pipeline-code.ts';
