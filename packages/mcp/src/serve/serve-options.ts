import { type FieldKind, type FieldsOf, flag, method, objectWith, portWith, positive, text } from "@toolrack/core/internal";
import type { Caller, ToolDefinition } from "@toolrack/core";
import type { GuardOptions } from "./http/guard.ts";
import type { SessionStore } from "./http/sessions/session-store.ts";
import type { StreamLimits } from "./http/streams/streams.ts";
import type { ListOf, McpPrompt } from "./library/prompts.ts";
import type { AnyResource } from "./library/resources.ts";
import { minPageLength } from "./long-results/result-handles.ts";
import type { ResultPeers } from "./long-results/shared-results.ts";
import type { OnceLedger } from "./questions/once-ledger.ts";
import type { TaskSupport } from "./tasks/serve-as-task.ts";
import type { TaskStore } from "./tasks/task-store.ts";
import { type ToolField, toolFields } from "../wire/tool.ts";

export interface ServeMcpOptions extends GuardOptions {
  /** Prompts of your own. */
  readonly prompts?: ListOf<McpPrompt>;
  /** Whether each tool with a usage hint or examples has a prompt, "use-<tool>"; clients show all of them in a menu. @default false */
  readonly toolPrompts?: boolean;
  /** Fields of tools that lists also have at the top, for clients that read them there; they are always in `_meta`. @default none */
  readonly toolFields?: readonly ToolField[];
  /** Resources and templates of your own, beside the catalog and the pages of long results. */
  readonly resources?: ListOf<AnyResource>;
  /** Where tasks are stored. @default in memory */
  readonly tasks?: TaskStore;
  /** Which calls become tasks, for clients that know them. @default "when-long" for all */
  readonly taskSupport?: (tool: ToolDefinition) => TaskSupport;
  /** How long a call may take before it becomes a task. @default 5_000 */
  readonly taskAfterMs?: number;
  /** How long a task can be retrieved. @default 3_600_000 */
  readonly taskTtlMs?: number;
  /** How often clients should poll a task. @default 1_000 */
  readonly taskPollMs?: number;
  /** @default "toolrack" */
  readonly name?: string;
  /** @default "0.0.0" */
  readonly version?: string;
  /** Instructions for the model about this server as a whole. */
  readonly instructions?: string;
  /** Text for one caller, appended to the instructions: that it may use no tool, for instance. */
  readonly notice?: (caller: Caller) => string | undefined;
  /** Called before tools are listed; the list waits for what it returns: tools that are on their way, for instance. @default nothing */
  readonly beforeList?: () => Promise<void> | undefined;
  /** At least 32 bytes that sign request states and sessions; share it between servers that answer for each other. @default made up */
  readonly requestStateKey?: string | Uint8Array;
  /** Which request states were used; share it likewise. @default in memory */
  readonly usedStates?: OnceLedger;
  /** How long a person may take to answer. @default 600_000 */
  readonly answerWithinMs?: number;
  /** Items on one page of a list. @default 1_000 */
  readonly pageSize?: number;
  /** How long clients may keep lists. @default 5_000 */
  readonly ttlMs?: number;
  /** How many characters of a result are sent at once, at least 1024; longer texts are read page by page. @default 65_536 */
  readonly resultPageLength?: number;
  /** Whether legacy clients get sessions, which questions, log levels and subscriptions need. @default true */
  readonly sessions?: boolean;
  /** How long the state of a session is stored after its last use. @default 1_800_000 */
  readonly sessionIdleMs?: number;
  /** How many sessions of one principal can have state; the oldest loses its state first. @default 100 */
  readonly sessionsPerPrincipal?: number;
  /** The state of sessions; share it, with the key, between servers that answer for each other. @default in memory */
  readonly sessionStore?: SessionStore;
  /** How pages of long results are read from the server that has them; for servers that answer for each other. @default not at all */
  readonly resultPeers?: ResultPeers;
  /** @default 4 MiB */
  readonly maxBodyBytes?: number;
  /** How many JSON values the message in a body may have. @default 100_000 */
  readonly maxBodyValues?: number;
  /** @default 30_000 */
  readonly bodyTimeoutMs?: number;
  readonly streams?: StreamLimits;
}

const list: FieldKind = {
  is: "a list, or a function that returns one",
  test: (value) => Array.isArray(value) || typeof value === "function",
};
const fieldNames: FieldKind = {
  is: `a list of ${toolFields.join(", ")}`,
  test: (value) => Array.isArray(value) && value.every((item) => toolFields.includes(item as ToolField)),
};
const namesOrAny: FieldKind = {
  is: 'a list of texts, or "any"',
  test: (value) => value === "any" || (Array.isArray(value) && value.every((item) => typeof item === "string")),
};
const atLeast = (least: number): FieldKind => ({
  is: `a whole number of at least ${least}`,
  test: (value) => Number.isSafeInteger(value) && (value as number) >= least,
});
const key: FieldKind = { is: "a text or bytes", test: (value) => typeof value === "string" || value instanceof Uint8Array };

const streamFields: FieldsOf<StreamLimits> = { perPrincipal: positive, total: positive };

export const serveFields: FieldsOf<ServeMcpOptions> = {
  allowedHosts: namesOrAny,
  allowedOrigins: namesOrAny,
  prompts: list,
  toolPrompts: flag,
  toolFields: fieldNames,
  resources: list,
  tasks: portWith("create", "get", "replace"),
  taskSupport: method,
  taskAfterMs: atLeast(0),
  taskTtlMs: positive,
  taskPollMs: positive,
  name: text,
  version: text,
  instructions: text,
  notice: method,
  beforeList: method,
  requestStateKey: key,
  usedStates: portWith("claim"),
  answerWithinMs: positive,
  pageSize: atLeast(1),
  ttlMs: atLeast(0),
  resultPageLength: atLeast(minPageLength),
  sessions: flag,
  sessionIdleMs: positive,
  sessionsPerPrincipal: atLeast(1),
  sessionStore: portWith("end", "hasEnded", "settings", "change", "tell", "subscribe"),
  resultPeers: portWith("ask", "serve"),
  maxBodyBytes: atLeast(1),
  maxBodyValues: atLeast(1),
  bodyTimeoutMs: positive,
  streams: objectWith(streamFields),
};
