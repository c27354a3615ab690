import { createInputReader, type InputReader } from "../tool/input.ts";
import type { ToolDefinition } from "../tool/tool.ts";
import { type Validator, validatorFor } from "../schema/validate.ts";
import { callHandler } from "./run-handler.ts";
import type { Run, Wrapper } from "./wrapper.ts";

/** One tool made ready to be called: what applies to it, composed once, when it is first called. */
export interface CallPlan {
  readonly tool: ToolDefinition;
  readonly readInput: InputReader;
  readonly output: Validator | undefined;
  /** The whole time a call may take, where the call itself does not say. */
  readonly timeoutMs: number | undefined;
  readonly prepare: readonly Wrapper[];
  readonly admit: readonly Wrapper[];
  /** The handler inside its wrappers. */
  readonly run: Run;
  /** Nothing stands around the handler but what watches a signal and a deadline: without those it runs as it is. */
  readonly isBare: boolean;
  /** In the order in which they see the result: the innermost first. */
  readonly finish: readonly Wrapper[];
  /** The names of all that applies, outermost first. */
  readonly wrappers: readonly string[];
}

export function createPlan(tool: ToolDefinition, wrappers: readonly Wrapper[], timeoutMs?: number): CallPlan {
  const applying = wrappers.filter((wrapper) => wrapper.appliesTo?.(tool) !== false);
  return {
    tool,
    readInput: createInputReader(tool),
    output: tool.outputSchema === undefined ? undefined : validatorFor(tool.outputSchema),
    timeoutMs: tool.metadata?.limits?.timeoutMs ?? timeoutMs,
    prepare: applying.filter((wrapper) => wrapper.prepare !== undefined),
    admit: applying.filter((wrapper) => wrapper.admit !== undefined),
    run: applying.reduceRight<Run>((next, wrapper) => wrapper.run?.(next) ?? next, callHandler),
    isBare: applying.every((wrapper) => wrapper.run === undefined || wrapper.runsFor !== undefined),
    finish: applying.filter((wrapper) => wrapper.finish !== undefined).reverse(),
    wrappers: applying.map((wrapper) => wrapper.name),
  };
}
