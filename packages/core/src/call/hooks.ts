import type { JsonObject } from "@toolrack/json-schema/internal";
import type { Caller } from "../tool/context.ts";
import type { ToolResult } from "../tool/result.ts";

/** What a hook is shown of a call. */
export interface HookedCall {
  readonly tool: string;
  readonly input: JsonObject;
  readonly caller: Caller;
  readonly callId: string;
}

/** Block the call for a reason, or go on with another input, which is validated again. */
export type HookDecision = { readonly block: string } | { readonly input: JsonObject };

/** Looks at a call before it runs. A hook that throws blocks the call; a block is final. */
export type BeforeCallHook = (call: HookedCall) => HookDecision | undefined | void | Promise<HookDecision | undefined | void>;

/** Looks at a result before anyone else does; what it returns takes its place. One that throws leaves the result as it was, with a warning. */
export type AfterCallHook = (
  result: ToolResult,
  call: HookedCall,
) => ToolResult | undefined | void | Promise<ToolResult | undefined | void>;
