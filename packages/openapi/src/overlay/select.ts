import { compilePattern, jsonEquals } from "@toolrack/json-schema";
import { isObject } from "@toolrack/json-schema/internal";
import type { Filter, FunctionCall, Operand, Query, Segment, Selector } from "./json-path.ts";
import { parsePath } from "./path.ts";

/** A value of a document, and where it stands: so that it can be replaced or removed. */
export interface Node {
  readonly value: unknown;
  readonly parent: object | undefined;
  readonly key: string | number | undefined;
}

/** Everything that a JSONPath selects in a value, in its order. Throws a ToolError for a path that is not one. */
export function selectNodes(root: unknown, path: string): readonly Node[] {
  return walk([{ value: root, parent: undefined, key: undefined }], parsePath(path), root);
}

function walk(nodes: readonly Node[], segments: readonly Segment[], root: unknown): readonly Node[] {
  let current = nodes;
  for (const { isDescendant, selectors } of segments) {
    const from = isDescendant ? current.flatMap(descendants) : current;
    current = from.flatMap((node) => selectors.flatMap((selector) => select(node, selector, root)));
  }
  return current;
}

/** A node and all below it. What is shared or circular is met once. */
function descendants(start: Node): readonly Node[] {
  const found: Node[] = [];
  const seen = new Set<unknown>();
  const visit = (node: Node): void => {
    if (typeof node.value === "object" && node.value !== null) {
      if (seen.has(node.value)) return;
      seen.add(node.value);
    }
    found.push(node);
    for (const child of children(node)) visit(child);
  };
  visit(start);
  return found;
}

function children({ value }: Node): readonly Node[] {
  if (Array.isArray(value)) return value.map((inner: unknown, key) => ({ value: inner, parent: value, key }));
  return isObject(value) ? Object.keys(value).map((key) => ({ value: value[key], parent: value, key })) : [];
}

function select(node: Node, selector: Selector, root: unknown): readonly Node[] {
  const { value } = node;
  switch (selector.kind) {
    case "name": {
      const { name } = selector;
      return isObject(value) && Object.hasOwn(value, name) ? [{ value: value[name], parent: value, key: name }] : [];
    }
    case "index": {
      if (!Array.isArray(value)) return [];
      const key = selector.index < 0 ? value.length + selector.index : selector.index;
      return key >= 0 && key < value.length ? [{ value: value[key] as unknown, parent: value, key }] : [];
    }
    case "slice":
      return Array.isArray(value) ? slice(value, selector) : [];
    case "all":
      return children(node);
    case "filter":
      return children(node).filter((child) => holds(selector.filter, child.value, root));
  }
}

function slice(value: readonly unknown[], { start, end, step }: Extract<Selector, { kind: "slice" }>): readonly Node[] {
  const { length } = value;
  if (step === 0) return [];
  const at = (place: number | undefined, otherwise: number): number =>
    place === undefined ? otherwise : place < 0 ? length + place : place;
  const low = step > 0 ? 0 : -1;
  const limit = (place: number): number => Math.min(Math.max(place, low), step > 0 ? length : length - 1);
  const [from, to] = step > 0 ? [limit(at(start, 0)), limit(at(end, length))] : [limit(at(start, length - 1)), limit(at(end, -length - 1))];
  const found: Node[] = [];
  for (let key = from; step > 0 ? key < to : key > to; key += step) found.push({ value: value[key], parent: value as object, key });
  return found;
}

function holds(filter: Filter, node: unknown, root: unknown): boolean {
  switch (filter.kind) {
    case "or":
      return filter.parts.some((part) => holds(part, node, root));
    case "and":
      return filter.parts.every((part) => holds(part, node, root));
    case "not":
      return !holds(filter.part, node, root);
    case "exists":
      return nodesOf(filter.query, node, root).length > 0;
    case "test":
      return call(filter.call, node, root) === true;
    case "compare":
      return compare(filter.operator, read(filter.left, node, root), read(filter.right, node, root));
  }
}

function nodesOf({ from, segments }: Query, node: unknown, root: unknown): readonly Node[] {
  return walk([{ value: from === "$" ? root : node, parent: undefined, key: undefined }], segments, root);
}

/** The value of an operand; undefined is "nothing", which equals only itself. */
function read(operand: Operand, node: unknown, root: unknown): unknown {
  if (operand.kind === "literal") return operand.value;
  if (operand.kind === "call") return call(operand.call, node, root);
  const nodes = nodesOf(operand.query, node, root);
  return nodes.length === 1 ? nodes[0]!.value : undefined;
}

function compare(operator: string, left: unknown, right: unknown): boolean {
  const isEqual = left === undefined || right === undefined ? left === right : jsonEquals(left, right);
  if (operator === "==") return isEqual;
  if (operator === "!=") return !isEqual;
  const isOrdered = (typeof left === "number" && typeof right === "number") || (typeof left === "string" && typeof right === "string");
  const isLess = isOrdered && (operator.startsWith("<") ? left < right : left > right);
  return isLess || (operator.length === 2 && isEqual);
}

function call({ name, args }: FunctionCall, node: unknown, root: unknown): unknown {
  const [first, second] = args;
  if (first === undefined) return undefined;
  if (name === "count") return first.kind === "query" ? nodesOf(first.query, node, root).length : undefined;
  const value = read(first, node, root);
  if (name === "value") return value;
  if (name === "length")
    return typeof value === "string"
      ? [...value].length
      : typeof value === "object" && value !== null
        ? Object.keys(value).length
        : undefined;
  const pattern = second === undefined ? undefined : read(second, node, root);
  if (typeof value !== "string" || typeof pattern !== "string") return false;
  try {
    return compilePattern(name === "match" ? `^(?:${pattern})$` : pattern).test(value);
  } catch {
    return false;
  }
}
