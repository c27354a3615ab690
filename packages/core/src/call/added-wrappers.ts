import { describeValue } from "@toolrack/json-schema/internal";
import { ToolError } from "../errors.ts";

import { assertWrapper, type Wrapper } from "./wrapper.ts";

/**
 * Where further wrappers can stand in the chain, from the outside to the handler:
 *
 * - "outermost": the first to see a call and the last to see its result, which is redacted and cut by then;
 * - "before-limits": the caller may use the tool, and nothing was counted yet;
 * - "before-hooks": budget, rate and circuit breaker let the call through; hooks and the workspace guard still check what it changes;
 * - "before-queue": nothing refuses the call any more. It waits, retries and runs inside; its result still goes through after-call hooks,
 *   redaction and the limits on size;
 * - "each-attempt": directly around the handler, once for each attempt.
 */
export type WrapperPosition = "outermost" | "before-limits" | "before-hooks" | "before-queue" | "each-attempt";

export const wrapperPositions: readonly WrapperPosition[] = Object.freeze([
  "outermost",
  "before-limits",
  "before-hooks",
  "before-queue",
  "each-attempt",
]);

/** A wrapper of your own, and where it stands. Of several at one position the first stands outside. */
export interface AddedWrapper {
  readonly wrapper: Wrapper;
  readonly at: WrapperPosition;
}

/**
 * Puts the added wrappers into the chain of built-in ones, which has the name of a position where wrappers can be added. Throws
 * CONFIG_INVALID for a name that is taken or that cannot be printed.
 */
export function composeChain(
  builtIn: readonly (Wrapper | WrapperPosition | undefined)[],
  added: readonly AddedWrapper[],
): readonly Wrapper[] {
  for (const { wrapper } of added) {
    requireName(wrapper);
    assertWrapper(wrapper);
  }
  const wrappers = builtIn.flatMap((one) => {
    if (typeof one !== "string") return one ?? [];
    return added.filter(({ at }) => at === one).map(({ wrapper }) => wrapper);
  });
  requireDistinctNames(wrappers);
  return wrappers;
}

function requireName({ name }: Wrapper): void {
  if (typeof name === "string" && /^[a-z][a-z-]*$/.test(name)) return;
  throw new ToolError("CONFIG_INVALID", `The name of a wrapper must be lower-case letters and hyphens, not ${describeValue(name)}.`);
}

function requireDistinctNames(wrappers: readonly Wrapper[]): void {
  const names = new Set<string>();
  for (const { name } of wrappers) {
    if (names.has(name)) throw new ToolError("CONFIG_INVALID", `Two wrappers are named "${name}". Give yours another name.`);
    names.add(name);
  }
}
