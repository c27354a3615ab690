/** One difference between two definitions. */
export interface DefinitionChange {
  /** A JSON pointer to what changed: "/inputSchema/properties/limit/maximum". */
  readonly path: string;
  readonly kind: ChangeKind;
  /** A sentence that says what changed. */
  readonly message: string;
  /** What was there; absent if nothing was. */
  readonly before?: unknown;
  /** What is there now; absent if nothing is. */
  readonly after?: unknown;
}

/**
 * - `wording`: text that brings no new address, tool, effect or order.
 * - `widening`, `narrowing`: the tool accepts more, or less.
 * - `behaviour`: annotations, defaults, the output; or text with a new effect, address, tool or order.
 * - `identity`: the name, where the tool comes from, or where its requests go.
 * - `poison`: the scanner finds danger that was not there before.
 */
export type ChangeKind = "wording" | "widening" | "narrowing" | "behaviour" | "identity" | "poison";

export type AddChange = (path: string, kind: ChangeKind, message: string, before?: unknown, after?: unknown) => void;

/** Compares one field that differs. What the comparison does not know is told all the same, also beside other changes: 1 and "1" in examples. */
export function addCompared(
  { path, key, was, is }: { readonly path: string; readonly key: string; readonly was: unknown; readonly is: unknown },
  add: AddChange,
  compare: (add: AddChange) => void,
): void {
  let isTold = false;
  compare((...change) => {
    isTold = true;
    add(...change);
  });
  if (!isTold) add(path, "behaviour", `"${key}" is written in another way.`, was, is);
}
