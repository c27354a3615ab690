import type { WrapperPosition } from "./added-wrappers.ts";
import type { Step } from "./call-plan.ts";
import type { Wrapper } from "./wrapper.ts";

export interface RefusalOptions {
  /** All wrappers that apply to the tool, outermost first. */
  readonly applying: readonly Wrapper[];
  /** How many steps come before the first `beforeRun`, and how many there are before the handler. */
  readonly firstCheck: number;
  readonly stepCount: number;
  /** Where the added wrappers stand. */
  readonly added: ReadonlyMap<Wrapper, WrapperPosition>;
  /** The steps of a call that no step refused: the first checks the result, the others finish it, innermost first. */
  readonly after: readonly Step[];
  /** Whose `finish` each of these others is. */
  readonly finishing: readonly Wrapper[];
}

/**
 * For each step before the handler, what follows if that step refuses the call: the `finish` of an added wrapper is left out where the call was
 * refused further out, so that it never sees a call that did not reach it. Undefined if there is no such wrapper.
 */
export function stepsAfterRefusal(options: RefusalOptions): readonly (readonly Step[])[] | undefined {
  const { applying, added, after, finishing, stepCount } = options;
  const isInner = (wrapper: Wrapper): boolean => added.has(wrapper) && added.get(wrapper) !== "outermost";
  if (!finishing.some(isInner)) return undefined;
  const reachedAt = finishing.map((wrapper) => (isInner(wrapper) ? reached(wrapper) : 0));
  return Array.from({ length: stepCount }, (_, position) =>
    after.filter((_step, index) => index === 0 || reachedAt[index - 1]! <= position),
  );

  /** The first step that only calls take that reached the wrapper. */
  function reached(wrapper: Wrapper): number {
    const position = added.get(wrapper);
    if (position === "before-queue" || position === "each-attempt") return stepCount;
    const outside = applying.slice(0, applying.indexOf(wrapper) + 1);
    return options.firstCheck + outside.filter(({ beforeRun }) => beforeRun !== undefined).length;
  }
}
