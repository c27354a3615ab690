import type { AddedWrapper } from "../call/added-wrappers.ts";
import type { CallLimits } from "../call/chain.ts";
import type { MissingTool, TracedCall } from "../call/host.ts";
import type { AfterCallHook, BeforeCallHook } from "../call/hooks.ts";
import type { Approver } from "../call/ports/approver.ts";
import type { ConfigPort } from "../call/ports/config.ts";
import type { Recorder } from "../call/ports/recorder.ts";
import type { SecretsPort } from "../call/ports/secrets.ts";
import type { UserChannel } from "../call/ports/user-channel.ts";
import type { RedactionOptions } from "../call/wrappers/redact.ts";
import type { ConfiguredPolicy } from "../policy/config/config.ts";
import type { Caller, Logger } from "../tool/context.ts";
import type { ToolResult } from "../tool/result.ts";
import type { Clock } from "../util/clock.ts";
import type { Capabilities } from "./capabilities.ts";

/** Everything that can be plugged into a registry; each has a default that needs nothing. */
export interface RegistryOptions<Services = unknown> {
  /**
   * What handlers find in `context.services`: one value for all, or a function that opens one for each call.
   * What a function opened is closed when the call ends: by `closeServices`, else by its own `[Symbol.asyncDispose]` or
   * `[Symbol.dispose]`.
   */
  readonly services?: Services | ((call: ServicesRequest) => Services | Promise<Services>);
  /** Closes what the services function opened; told the result, so that a session can commit or roll back. */
  readonly closeServices?: (services: Services, result: ToolResult) => void | Promise<void>;
  /** Who may use what: `readPolicyConfig(config)`. @default everything is available to everyone */
  readonly policy?: ConfiguredPolicy;
  /** Saved configuration of tools. @default nothing is saved */
  readonly config?: ConfigPort;
  /** @default in memory, empty */
  readonly secrets?: SecretsPort;
  /** Records every call. @default none */
  readonly recorder?: Recorder;
  /** Shows the person the results that are for them. @default nobody is shown any, so calls with such a result are refused */
  readonly userChannel?: UserChannel;
  /** Asks a person. @default no one can be asked, so calls that need an answer are refused */
  readonly approver?: Approver;
  /** What this machine has. @default the standard checks */
  readonly capabilities?: Capabilities;
  /** Where tools with path parameters may work, and absolute paths that they never lead to. @default no guard */
  readonly workspace?: { readonly root: string; readonly hidden?: readonly string[] };
  /** @default the machine's clock */
  readonly clock?: Clock;
  /** @default silence */
  readonly log?: Logger;
  readonly limits?: CallLimits;
  readonly hooks?: { readonly before?: readonly BeforeCallHook[]; readonly after?: readonly AfterCallHook[] };
  /** Further wrappers, each at a named position of the chain; they must keep the contract of `Wrapper`. @default none */
  readonly wrappers?: readonly AddedWrapper[];
  /** What never leaves in a result. */
  readonly redaction?: RedactionOptions;
  /**
   * Called when a call begins; what it returns is the `trace` of the call from then on, for its events, its record, its handler and the
   * calls that it makes: the context of a span of its own. Undefined keeps the trace that the call was made with. Read for each call, so that a getter can
   * switch it on and off. @default none
   */
  readonly traceCall?: ((call: TracedCall) => unknown) | undefined;
  /** What a call of a name without a tool is told, instead of TOOL_NOT_FOUND: that the tool is held back, for instance. @default none */
  readonly missingTool?: ((name: string, caller: Caller) => MissingTool | undefined) | undefined;
  /** Other name → the tool that it means in a call, where no tool has that very name. Capitals do not matter; policies do not know them. @default none */
  readonly aliases?: Readonly<Record<string, string>>;
  /** Whether data is checked against `outputSchema`. @default "warn" */
  readonly outputValidation?: "off" | "warn" | "strict";
  /** Whether near-miss inputs ("5" for 5) are read as they were meant, and reported. @default false */
  readonly repairInputs?: boolean;
}

export interface ServicesRequest {
  readonly callId: string;
  readonly tool: string;
  readonly caller: Caller;
}
