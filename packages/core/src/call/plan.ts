import { type Validator, validatorFor } from "@toolrack/json-schema";
import { createInputReader, type InputReader } from "../tool/input.ts";
import { inputParserOf, type ToolDefinition } from "../tool/tool.ts";
import type { Interrupt } from "./interrupts.ts";
import type { Run, Wrapper } from "./wrapper.ts";

/** One tool made ready to be called: what applies to it, composed once, when it is first called. */
export interface CallPlan {
  readonly tool: ToolDefinition;
  /** Nothing can stand in the way of a call, whoever makes it. */
  readonly isOpen: boolean;
  readonly readInput: InputReader;
  /** Decides on an input alone; absent where the tool's own Standard Schema has the last word. */
  readonly validator: Validator | undefined;
  readonly output: Validator | undefined;
  /** How long the handler may take, where the call itself does not say. */
  readonly timeoutMs: number | undefined;
  /** Whether the steps of these names have anything to do. */
  readonly prepares: boolean;
  readonly checksBeforeRun: boolean;
  readonly equips: boolean;
  readonly prepare: readonly NonNullable<Wrapper["prepare"]>[];
  readonly beforeRun: readonly NonNullable<Wrapper["beforeRun"]>[];
  /** The handler inside its wrappers. */
  readonly run: Run;
  /** Nothing stands around the handler: it runs as it is. */
  readonly isBare: boolean;
  /** What may end the wait for the handler early. */
  readonly interrupts: readonly Interrupt[];
  /** In the order in which they see the result: the innermost first. */
  readonly finish: readonly Finish[];
  /** Those of them that are left for a short text, which is what most calls answer: from the first on that looks at it, and may make it longer. */
  readonly finishShortText: readonly Finish[];
  /** Nothing looks at a short text any more: it goes out as it is. */
  readonly passesShortText: boolean;
  /** The names of all that applies, outermost first. */
  readonly wrappers: readonly string[];
}

export type Finish = NonNullable<Wrapper["finish"]>;

export interface PlanOptions {
  /** Everything that may stand around a handler, outermost first. */
  readonly wrappers: readonly Wrapper[];
  /** What calls the handler itself. */
  readonly innermost: Run;
  readonly timeoutMs: number | undefined;
  readonly hasConfig: boolean;
  readonly hasServices: boolean;
  /** Whether somebody wants to know of calls before they run. */
  readonly announces: boolean;
  /** Whether a policy looks at the arguments of calls. */
  readonly examines: boolean;
  readonly isOpen: boolean;
}

export function createPlan(tool: ToolDefinition, options: PlanOptions): CallPlan {
  const { wrappers, innermost, timeoutMs } = options;
  const applying = wrappers.filter((wrapper) => wrapper.appliesTo?.(tool) !== false);
  const finishing = applying.filter((wrapper) => wrapper.finish !== undefined).reverse();
  const firstBusy = finishing.findIndex((wrapper) => wrapper.skipsShortText?.(tool) !== true);
  const finishShortText = finishing.slice(firstBusy < 0 ? finishing.length : firstBusy).map((wrapper) => wrapper.finish!);
  return {
    tool,
    readInput: createInputReader(tool),
    validator: inputParserOf(tool) === undefined ? validatorFor(tool.inputSchema) : undefined,
    output: tool.outputSchema === undefined ? undefined : validatorFor(tool.outputSchema),
    timeoutMs: tool.metadata?.limits?.timeoutMs ?? timeoutMs,
    prepares: options.hasConfig || applying.some((wrapper) => wrapper.prepare !== undefined),
    checksBeforeRun: options.examines || applying.some((wrapper) => wrapper.beforeRun !== undefined),
    equips: options.hasServices || options.hasConfig || options.announces,
    prepare: applying.flatMap((wrapper) => wrapper.prepare ?? []),
    beforeRun: applying.flatMap((wrapper) => wrapper.beforeRun ?? []),
    run: applying.reduceRight<Run>((next, wrapper) => wrapper.run?.(next) ?? next, innermost),
    isBare: applying.every((wrapper) => wrapper.run === undefined),
    interrupts: applying.flatMap((wrapper) => wrapper.interrupt ?? []),
    finish: finishing.map((wrapper) => wrapper.finish!),
    finishShortText,
    passesShortText: tool.outputSchema === undefined && finishShortText.length === 0,
    isOpen: options.isOpen,
    wrappers: applying.map((wrapper) => wrapper.name),
  };
}
