// The public names of @toolrack/agent, one by one.

export type { Agent, AgentInput, AgentOptions, ResumeOptions, RunOptions } from "./agent.ts";
export { agentTool, type AgentToolOptions } from "./as-tool/agent-tool.ts";
export { createJobTool } from "./as-tool/job-tool.ts";
export type { AgentJob, AgentJobDraft, AgentJobs } from "./as-tool/jobs.ts";
export { createMemoryJobs, type MemoryJobsOptions } from "./as-tool/memory-jobs.ts";
export type { Budget } from "./budget/budget.ts";
export type { Settle } from "./calls/settle.ts";
export type { ContextFacts, ContextHook } from "./context/fit-context.ts";
export { createAgent } from "./create-agent.ts";
export type { CheckedProgress, Criteria } from "./criteria/criteria.ts";
export type { Phase } from "./criteria/phases.ts";
export type { AgentEvent, MissingInputs, RunCode, RunResult, RunStatus, RunUsage, WaitingCall } from "./events.ts";
export type { AgentRun } from "./running/agent-run.ts";
export { runUserChannel } from "./running/user-channel.ts";

export { SessionError, type SessionErrorCode } from "./errors.ts";
export { createMemorySessions, type MemorySessionsOptions } from "./memory-sessions.ts";
export type { AssistantMessage, Message, MessageOrigin, RawItems, SummaryMessage, ToolMessage, Usage, UserMessage } from "./message.ts";
export {
  type Model,
  type ModelEnd,
  type ModelEvent,
  type ModelFailure,
  type ModelRequest,
  type StopReason,
  type Thinking,
  thinkingLevels,
} from "./model.ts";
export type {
  InboxMessage,
  NewSession,
  Session,
  SessionFilter,
  SessionKind,
  SessionLease,
  SessionPatch,
  SessionStatus,
  SessionStore,
  StoredMessage,
} from "./sessions.ts";
