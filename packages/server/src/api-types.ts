import type { InferSchema } from "@toolrack/json-schema";
import type { recordSchema } from "./api/shared/records.ts";
import type { auditLineSchema } from "./api/audit.ts";
import type { configSchema } from "./api/configs.ts";
import type { keySchema } from "./api/keys.ts";
import type { secretSchema } from "./api/secrets.ts";
import type { usageBucketSchema } from "./api/usage.ts";

// What the API answers, as types for clients in TypeScript: taken from the schemas that the answers are held against.

export type { Caller, ToolResult, ToolState, ToolSuccess } from "@toolrack/core";
export type { ToolExplanation } from "@toolrack/core/policy";
export type { Issue, JsonSchema } from "@toolrack/json-schema";
export type { AgentInfo } from "./api/agents.ts";
export type { PolicyMatrix } from "./api/policy.ts";
export type { ToolDetails, ToolSummary } from "./api/shared/tools.ts";
export type { ProblemBody } from "./http/reply/problem.ts";

export type RecordAnswer = InferSchema<typeof recordSchema>;
export type AuditLineAnswer = InferSchema<typeof auditLineSchema>;
export type ConfigAnswer = InferSchema<typeof configSchema>;
export type KeyAnswer = InferSchema<typeof keySchema>;
export type SecretAnswer = InferSchema<typeof secretSchema>;
export type UsageBucket = InferSchema<typeof usageBucketSchema>;
