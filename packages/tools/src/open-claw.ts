import { type BeforeCallHook, type Caller, type ToolDefinition, withWrapper, type Wrapper } from "@toolrack/core";
import {
  type ChannelWithTools,
  listChannelAgentTools,
  sanitizeToolResultImages,
  wrapToolParamNormalization,
  wrapToolWithAbortSignal,
  wrapToolWithBeforeToolCallHook,
  wrapToolWorkspaceRootGuard,
} from "@toolrack/core/compat";
import { createCapabilities } from "@toolrack/core/node";
import { type AssembledTools, type AssembleInput, assembleTools, type PolicyConfig, readPolicyConfig } from "@toolrack/core/policy";
import { type AutomationOptions, createAutomationTools } from "./automation/automation.ts";
import { type BrowserOptions, createBrowserTools } from "./browser/browser.ts";
import { type CanvasOptions, createCanvasTools } from "./canvas/canvas.ts";
import { applyPatchModels as defaultPatchModels, forModels } from "./files/apply-patch-models.ts";
import { createFilesTools } from "./files/files.ts";
import type { FilesToolsOptions } from "./files/options.ts";
import { createMediaTools, type MediaOptions } from "./media/media.ts";
import { createMemoryTools, type MemoryOptions } from "./memory/memory.ts";
import { createMessageTools, type MessagesOptions } from "./messages/messages.ts";
import type { RuntimeToolsOptions } from "./runtime/options.ts";
import { createRuntimeTools } from "./runtime/runtime.ts";
import { createSessionsTools } from "./sessions/sessions.ts";
import type { SessionsToolsOptions } from "./sessions/options.ts";
import { createWebTools, type WebOptions } from "./web/web.ts";

export interface OpenClawToolsOptions {
  /** @default web tools without a search engine */
  readonly web?: WebOptions;
  /** @default records of the call's services */
  readonly memory?: MemoryOptions;
  /** @default speech by espeak-ng, and images without a model */
  readonly media?: MediaOptions;
  /** @default no channel, and so no tool `message` */
  readonly messages?: MessagesOptions;
  /** @default a Chromium of this machine */
  readonly browser?: BrowserOptions;
  /** @default no sessions of agents, and none of their tools */
  readonly sessions?: SessionsToolsOptions;
  /** @default no canvases, and so no tool `canvas` */
  readonly canvas?: CanvasOptions;
  /** @default no schedules, settings and machines, and so none of `cron`, `gateway` and `nodes` */
  readonly automation?: AutomationOptions;
}

/** The tools of `group:openclaw` that have a host: a tool without one is not offered. */
export function createOpenClawTools(options: OpenClawToolsOptions = {}): readonly ToolDefinition[] {
  return [
    ...createWebTools(options.web),
    ...createMemoryTools(options.memory),
    ...createMediaTools(options.media),
    ...createMessageTools(options.messages),
    ...createBrowserTools(options.browser),
    ...(options.sessions === undefined ? [] : createSessionsTools(options.sessions)),
    ...createCanvasTools(options.canvas ?? {}),
    ...createAutomationTools(options.automation ?? {}),
  ];
}

export interface OpenClawCodingToolsOptions extends Caller, OpenClawToolsOptions {
  /** The folder that the tools for files and programs work in and never leave. */
  readonly workspace: string;
  readonly files?: Omit<FilesToolsOptions, "root">;
  /** Defaults of `exec` and `process`. */
  readonly exec?: Omit<RuntimeToolsOptions, "root">;
  /** Which models get `apply_patch`; `*` is the only wildcard. @default gpt-*, *codex* */
  readonly applyPatchModels?: readonly string[];
  /** Channels whose tools are added. */
  readonly channels?: readonly ChannelWithTools[];
  /** Who may use what: `tools`, `agents` and so on, as in a policy. @default nothing is restricted */
  readonly config?: PolicyConfig;
  /** Cancels every running call. */
  readonly signal?: AbortSignal;
  /** Sees each call before it runs, and may change or block it. */
  readonly beforeToolCall?: BeforeCallHook;
}

/**
 * The tools of a coding agent, assembled in seven steps, with what each step did. A list has no memory of who is to be asked: register its
 * tools in a registry with the same policy where `ask` and rules over arguments matter.
 */
export function createOpenClawCodingTools(options: OpenClawCodingToolsOptions): AssembledTools {
  const {
    workspace,
    files,
    exec,
    applyPatchModels,
    channels = [],
    config,
    signal,
    beforeToolCall,
    web,
    memory,
    media,
    messages,
    browser,
    sessions,
    canvas,
    automation,
    ...caller
  } = options;
  const own = {
    ...(web !== undefined && { web }),
    ...(memory !== undefined && { memory }),
    media: { root: workspace, ...media },
    ...(messages !== undefined && { messages }),
    browser: { root: workspace, ...browser },
    ...(sessions !== undefined && { sessions }),
    ...(canvas !== undefined && { canvas }),
    ...(automation !== undefined && { automation }),
  };
  const all = createFilesTools({ ...files, root: workspace });
  const isPatch = ({ name }: ToolDefinition): boolean => name === "apply_patch";
  const policy = config && readPolicyConfig(config);
  return assembleTools({
    ...caller,
    workspace,
    stages: {
      base: all.filter((tool) => !isPatch(tool)),
      runtime: createRuntimeTools({ ...exec, root: workspace }),
      model: all.filter(isPatch).map((tool) => forModels(tool, applyPatchModels ?? defaultPatchModels)),
      own: createOpenClawTools(own),
      channel: () => listChannelAgentTools(channels, config),
    },
    ...(policy && { policy: (facts: Caller) => policy.for(facts) }),
    availabilityOf: missingCapability()!,
    wrap: (tool) => wrapTool(tool, { workspace, signal, beforeToolCall }),
  });
}

function missingCapability(): AssembleInput["availabilityOf"] {
  const capabilities = createCapabilities();
  return ({ metadata }) => {
    const missing = metadata?.requiresCapabilities?.find((name) => !capabilities.has(name));
    return missing === undefined
      ? undefined
      : { rule: "capability", reason: `it needs "${missing}"`, remedy: capabilities.remedy(missing) };
  };
}

interface Guards {
  readonly workspace: string;
  readonly signal: AbortSignal | undefined;
  readonly beforeToolCall: BeforeCallHook | undefined;
}

/** From the inside out: what is put on last sees a call first. */
function wrapTool(tool: ToolDefinition, { workspace, signal, beforeToolCall }: Guards): ToolDefinition {
  let wrapped = wrapToolWorkspaceRootGuard(tool, workspace);
  if (signal !== undefined) wrapped = wrapToolWithAbortSignal(wrapped, signal);
  if (beforeToolCall !== undefined) wrapped = wrapToolWithBeforeToolCallHook(wrapped, beforeToolCall);
  return withWrapper(wrapToolParamNormalization(wrapped), images);
}

const images: Wrapper = { name: "images", finish: (result, call) => sanitizeToolResultImages(result, {}, call) };
