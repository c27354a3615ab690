import type { JsonObject } from "@toolrack/json-schema/internal";
import type { Caller } from "../tool/context.ts";
import type { ToolResult } from "../tool/result.ts";

/** What a hook sees of a call. */
export interface HookedCall {
  readonly tool: string;
  readonly input: JsonObject;
  readonly caller: Caller;
  readonly callId: string;
}

/** Block the call with a reason, or continue with another input, which is validated again. */
export type HookDecision = { readonly block: string } | { readonly input: JsonObject };

/** Runs before a call. A hook that throws blocks the call; a block is final. */
export type BeforeCallHook = (call: HookedCall) => HookDecision | undefined | void | Promise<HookDecision | undefined | void>;

/** Sees a result first; what it returns replaces the result. If it throws, the result stays and gets a warning. */
export type AfterCallHook = (
  result: ToolResult,
  call: HookedCall,
) => ToolResult | undefined | void | Promise<ToolResult | undefined | void>;
