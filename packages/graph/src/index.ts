export type { NodeTypeSpec, NodeTypes, Settings } from './node-types.ts';
export type { NodeKind, PlanNode, PlanStream, RunPlan } from './plan/run-plan.ts';
