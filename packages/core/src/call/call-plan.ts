import type { Validator } from "@toolrack/json-schema";
import type { Deliver } from "../tool/deliver.ts";
import type { InputReader } from "../tool/input.ts";
import type { ToolResult } from "../tool/result.ts";
import type { ToolDefinition } from "../tool/tool.ts";
import type { Interrupt } from "./interrupts.ts";
import type { Call, Run } from "./wrapper.ts";

/** Everything that a call of one tool goes through, composed once, at its first call. */
export interface CallPlan {
  readonly tool: ToolDefinition;
  /** Every caller may call it, except for a session that has not inherited it. */
  readonly isOpen: boolean;
  readonly readInput: InputReader;
  /** Validates the input; absent if the tool's own Standard Schema does. */
  readonly validator: Validator | undefined;
  readonly output: Validator | undefined;
  /** How long the handler may take, unless the call itself sets a limit. */
  readonly timeoutMs: number | undefined;
  /** Who gets the results, unless the call itself says it. */
  readonly deliver: Deliver | undefined;
  /** What a call goes through before its handler, in order. */
  readonly before: readonly Step[];
  /** What its result goes through after that. */
  readonly after: readonly Step[];
  /** The same for a short text, which is what most calls return: begins with the first step that reads it, and may make it longer. */
  readonly afterShortText: readonly Step[];
  /** The steps after each refusal, by the position of the step that refused the call; absent where they are those after any result. */
  readonly afterRefusal: readonly (readonly Step[])[] | undefined;
  /** The handler inside its wrappers. */
  readonly run: Run;
  /** No wrapper surrounds the handler: it runs as it is. */
  readonly isBare: boolean;
  /** What may end the wait for the handler early. */
  readonly interrupts: readonly Interrupt[];
  /** The names of all wrappers that apply, outermost first. */
  readonly wrappers: readonly string[];
}

/** One step of a call. Undefined: the next step follows. A result ends the steps before the handler; after it, it replaces the result so far. */
export type Step = StepMethod["take"];

/** A method, because the parameter of a method may be narrowed: a step takes the whole state of a call, of which wrappers see a part. */
interface StepMethod {
  take(call: Call): StepOutcome | Promise<StepOutcome>;
}

export type StepOutcome = ToolResult | undefined | void;
