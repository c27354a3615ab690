export { prepareProgram, type PreparedProgram } from "./program/prepare.ts";
export { openProgram, reopenProgram, type OpenProgram } from "./program/open.ts";
export { runProgram } from "./program/run.ts";
export type {
  CallAnswer,
  ErrorKind,
  PendingCall,
  ProgramCall,
  ProgramError,
  ProgramLog,
  ProgramOptions,
  ProgramResult,
  ResultLabels,
  RunOptions,
  StartOptions,
  ToolFunction,
} from "./program/types.ts";
export type { Diagnostic } from "./diagnostic.ts";
export type { Label } from "./labels/names.ts";
export { defaultLimits, type LimitName, type ProgramLimits } from "./limits.ts";
export { resumeProgram, startProgram, type ProgramStatus, type ResumeOptions } from "./program/start.ts";
export type { ProgramState } from "./state/state.ts";
export type { Chain, ChainProblem, ChainStep } from "./chain/chain.ts";
export { checkChain, type ChainToolInfo, type CheckChainOptions, type CheckedChain } from "./chain/check.ts";
export { chainMessage } from "./chain/message.ts";
export { type ChainPlan, planOfChain } from "./chain/plan.ts";
export { chainToProgram } from "./chain/program.ts";
export { chainTool, type ChainToolOptions, runChain } from "./chain/run.ts";
export { chainFromWorkflow } from "./chain/workflow.ts";
