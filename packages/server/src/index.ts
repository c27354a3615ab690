// The public names of @toolrack/server, one by one: adding a line here is a decision.

export { ServerError, type ServerErrorCode, serverErrorCodes } from "./errors.ts";

// The configuration file
export type { JwtConfig, RackConfig } from "./config/config.ts";
export { configSchema } from "./config/schema.ts";
export { type ConfigIssue, type ConfigRead, readConfig } from "./config/read.ts";
export { starterConfig } from "./config/starter.ts";

// The rack
export { openRack, type OpenRackOptions } from "./rack/open.ts";
export type {
  AgentSetting,
  ApiKey,
  ApiKeys,
  ApprovalDecision,
  Approvals,
  NewApiKey,
  Rack,
  RackCallOptions,
  RunningCall,
  RunningCalls,
  Setting,
  Settings,
  SourceInfo,
  Sources,
  WaitingApproval,
} from "./rack/rack.ts";
export type { ServerInfo, Servers, ServerStatus } from "./rack/cluster/servers.ts";

// Modules of tools.modules; also at @toolrack/server/module, without the server
export { defineModule, type ServerModule } from "./rack/modules/module.ts";
export type { PackConfig, PackContext, PackDefinition } from "./rack/packs/pack.ts";
export type { SourceKind, SourceKindContext } from "./rack/sources/source-kind.ts";

export type { Author } from "./rack/audit/author.ts";

// Logs
export { createLog, type LogFormat, type LogLevel, type LogOptions, type LogSettings, type ServerLog } from "./telemetry/log/log.ts";

// What the API answers
export type {
  AgentInfo,
  AuditLineAnswer,
  Caller,
  ConfigAnswer,
  Issue,
  JsonSchema,
  KeyAnswer,
  PolicyMatrix,
  RecordAnswer,
  SecretAnswer,
  ToolDetails,
  ToolExplanation,
  ToolResult,
  ToolState,
  ToolSuccess,
  ToolSummary,
  UsageBucket,
} from "./api-types.ts";

// HTTP
export { type App, type AppOptions, createApp } from "./app.ts";
export type { GuardOptions } from "./http/guard/guard.ts";
export { type Identity, ownerOf, type ServerRole } from "./http/sign-in/identity.ts";
export type { Limits } from "./http/limits/limits.ts";
export { Problem, type ProblemBody } from "./http/reply/problem.ts";
export type { AnswerShape, Method, Route } from "./http/route.ts";
export { createTokenCheck, type TokenCheck, type TokenOptions } from "./http/sign-in/tokens.ts";
export type { OpenApiDocument } from "./openapi.ts";
export { routes } from "./routes.ts";
export { openServer, type OpenServerOptions } from "./open-server.ts";
export { serve, type Served, type ServeOptions } from "./serve.ts";
export { version } from "./version.ts";
