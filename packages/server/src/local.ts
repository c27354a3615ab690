// A rack and its API inside one program, without a socket, a log or tokens: what `toolrack list` uses.

import type { ToolRule } from "@toolrack/core/lint";
import type { LogOptions, ServerLog } from "./telemetry/log/log.ts";
import type { readToolFile as ReadToolFile } from "./rack/modules/tool-file.ts";
import type { backUpTo as BackUpTo, copyBetween as CopyBetween, restoreFrom as RestoreFrom } from "./rack/store/whole-store.ts";

export { type App, type AppOptions, createApp } from "./app.ts";
export type { HttpRequest, WholeReply } from "./http/transport/exchange.ts";
export { agentFault } from "./rack/access/agent-fault.ts";
export { identityOfAgent } from "./http/sign-in/agent-sessions.ts";
export { type Identity, ownerOf } from "./http/sign-in/identity.ts";
export { openRack, type OpenRackOptions } from "./rack/open.ts";
export type { ToolFile } from "./rack/modules/tool-file.ts";
export type { CopyBetweenOptions, RestoreFileOptions, WholeStoreOptions } from "./rack/store/whole-store.ts";

// Loaded on first use.
const wholeStore = (): Promise<typeof import("./rack/store/whole-store.ts")> => import("./rack/store/whole-store.ts");
export const backUpTo: typeof BackUpTo = async (...given) => (await wholeStore()).backUpTo(...given);
export const restoreFrom: typeof RestoreFrom = async (...given) => (await wholeStore()).restoreFrom(...given);
export const copyBetween: typeof CopyBetween = async (...given) => (await wholeStore()).copyBetween(...given);
export const readToolFile: typeof ReadToolFile = async (...given) => (await import("./rack/modules/tool-file.ts")).readToolFile(...given);
export const openLog = async (options: LogOptions): Promise<ServerLog> => (await import("./telemetry/log/log.ts")).createLog(options);
export const loadDriftRule = async (): Promise<ToolRule> => (await import("./javascript/drift-rule.ts")).loadDriftRule();
