import { validatorFor } from "@toolrack/json-schema";
import { createInputReader } from "../tool/input.ts";
import { defaultTimeoutMs } from "../tool/time-limit.ts";
import { inputParserOf, pinsOf, type ToolDefinition } from "../tool/tool.ts";
import type { WrapperPosition } from "./added-wrappers.ts";
import { stepsAfterRefusal } from "./after-refusal.ts";
import type { CallPlan, Step } from "./call-plan.ts";
import { applySavedConfig, boundInput, copyInput, toInputStep } from "./steps/prepare-input.ts";
import { checkArguments, checkInherited, checkPermission } from "./steps/permission.ts";
import { checkResult, toResultStep } from "./steps/check-result.ts";
import { openServices, recordStart, requireServices, resolveConfigSecrets } from "./steps/open-resources.ts";
import { pinnedInputSteps } from "./steps/pins.ts";
import { readInput, validateInput } from "./steps/validate-input.ts";
import { assertWrapper, type Run, type Wrapper } from "./wrapper.ts";

export interface PlanOptions {
  /** Everything that may surround a handler, outermost first. */
  readonly wrappers: readonly Wrapper[];
  /** Where those of the registry's own that it was given stand. */
  readonly added: ReadonlyMap<Wrapper, WrapperPosition>;
  /** What calls the handler itself. */
  readonly innermost: Run;
  /** The limit of the registry; false: none. */
  readonly timeoutMs: number | false | undefined;
  readonly hasConfig: boolean;
  readonly hasServices: boolean;
  /** Whether the start of a call is recorded before its handler runs. */
  readonly announces: boolean;
  /** Whether a policy looks at the arguments of calls. */
  readonly examines: boolean;
  readonly isOpen: boolean;
}

/** Composes the steps of every call of a tool. A step that has nothing to do for the tool is not in the list. */
export function createPlan(tool: ToolDefinition, options: PlanOptions): CallPlan {
  const { wrappers, innermost, timeoutMs, isOpen, hasConfig } = options;
  wrappers.forEach(assertWrapper);
  const applying = wrappers.filter((wrapper) => wrapper.appliesTo?.(tool) !== false);
  const pins = pinsOf(tool);
  const validator = pins === undefined && inputParserOf(tool) === undefined ? validatorFor(tool.inputSchema) : undefined;
  const reading: Step[] = [
    // The same decision as the list: what may be seen may be called. It comes before anything that costs more for a larger input.
    isOpen ? checkInherited : checkPermission,
    boundInput,
    ...when(options.examines || applying.some(({ beforeRun }) => beforeRun !== undefined), copyInput),
    ...applying.flatMap(({ prepare }) => (prepare === undefined ? [] : toInputStep(prepare))),
    ...when(hasConfig, applySavedConfig),
    ...(pins === undefined ? [validator === undefined ? readInput : validateInput] : pinnedInputSteps(tool, pins)),
  ];
  const before: Step[] = [
    ...reading,
    ...applying.flatMap(({ beforeRun }) => beforeRun ?? []),
    ...when(options.examines, checkArguments),
    ...when(hasConfig, resolveConfigSecrets),
    ...when(options.announces, recordStart),
    ...when(options.hasServices, openServices),
    ...when(tool.metadata?.services !== undefined, requireServices),
  ];
  const finishing = applying.filter((wrapper) => wrapper.finish !== undefined).reverse();
  const after: Step[] = [checkResult, ...finishing.map(({ name, finish }) => toResultStep(name, finish!))];
  const firstReader = finishing.findIndex((wrapper) => wrapper.skipsShortText?.(tool) !== true);
  const skipped = tool.outputSchema !== undefined ? 0 : firstReader === -1 ? after.length : 1 + firstReader;
  return {
    tool,
    isOpen,
    readInput: createInputReader(tool),
    validator,
    output: tool.outputSchema === undefined ? undefined : validatorFor(tool.outputSchema),
    timeoutMs: asTimeout(tool.metadata?.limits?.timeoutMs ?? timeoutMs ?? defaultTimeoutMs),
    deliver: tool.metadata?.deliver,
    before,
    after,
    afterShortText: after.slice(skipped),
    afterRefusal: stepsAfterRefusal({
      applying,
      firstCheck: reading.length,
      stepCount: before.length,
      added: options.added,
      after,
      finishing,
    }),
    run: applying.reduceRight<Run>((next, wrapper) => wrapper.run?.(next) ?? next, innermost),
    isBare: applying.every((wrapper) => wrapper.run === undefined),
    interrupts: applying.flatMap((wrapper) => wrapper.interrupt ?? []),
    wrappers: applying.map((wrapper) => wrapper.name),
  };
}

function asTimeout(timeoutMs: number | false): number | undefined {
  return timeoutMs === false ? undefined : timeoutMs;
}

function when(condition: boolean, step: Step): readonly Step[] {
  return condition ? [step] : [];
}
