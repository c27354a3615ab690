import { before } from "../parse/source.ts";
import type { Node } from "../parse/tree.ts";
import type { Root, Way } from "./effect.ts";

/** Any value: there is too much to list, or it cannot be known. */
export const unlisted: Way = { root: { kind: "unlisted" }, path: [], deep: false };

/** A list, object, map or set that is made on the spot. */
export function literal(node: Node, of: Extract<Root, { kind: "literal" }>["of"]): Way {
  return { root: { kind: "literal", start: node.start - before.length, of }, path: [], deep: false };
}

/** The same of `new Map()` and the like. */
export function newLiteral(node: Node): Way[] {
  const of = ({ Map: "map", Set: "set", Array: "list" } as const)[node.callee.name as string];
  return of === undefined ? [] : [literal(node, of)];
}

/** One step further; what can be reached from anywhere there stays that. */
export function step(way: Way, key: string): Way {
  return way.deep ? way : way.path.length >= 6 ? below(way) : { ...way, path: [...way.path, key] };
}

/** Any value that can be reached from there. */
export function below(way: Way): Way {
  return { ...way, deep: true };
}

/** A name that the program does not declare. */
export function freeName(name: string): Way {
  return { root: name === "input" ? { kind: "input" } : { kind: "global", name }, path: [], deep: false };
}
