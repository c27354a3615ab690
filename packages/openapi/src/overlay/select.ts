import { ToolError } from "@toolrack/core";
import { compilePattern, jsonEquals } from "@toolrack/json-schema";
import { isObject } from "@toolrack/json-schema/internal";
import { type Budget, createBudget } from "./budget.ts";
import type { Filter, FunctionCall, Operand, Query, Segment, Selector } from "./json-path.ts";
import { parsePath } from "./path.ts";

/** A value of a document, and where it stands: so that it can be replaced or removed. */
export interface Node {
  readonly value: unknown;
  readonly parent: object | undefined;
  readonly key: string | number | undefined;
}

/** The whole value that a path starts from, and what its steps are counted with. */
interface Walk {
  readonly root: unknown;
  readonly budget: Budget;
}

const maxSteps = 20_000_000;

/** Everything that a JSONPath selects in a value, in its order. Throws a ToolError for a path that is not one, or that takes too many steps. */
export function selectNodes(root: unknown, path: string, budget: Budget = defaultBudget(path)): readonly Node[] {
  return walk([{ value: root, parent: undefined, key: undefined }], parsePath(path), { root, budget });
}

function defaultBudget(path: string): Budget {
  const shown = JSON.stringify(path.slice(0, 120));
  return createBudget(
    maxSteps,
    (fact) => new ToolError("CONFIG_INVALID", `The JSONPath ${shown} ${fact}. Name more of the way to what it selects.`),
  );
}

function walk(nodes: readonly Node[], segments: readonly Segment[], around: Walk): readonly Node[] {
  let current = nodes;
  for (const { isDescendant, selectors } of segments) {
    const from = isDescendant ? current.flatMap((node) => descendants(node, around.budget)) : current;
    current = from.flatMap((node) => selectors.flatMap((selector) => select(node, selector, around)));
  }
  return current;
}

/** A node and all below it, in the order of the document. What is shared or circular is met once. */
function descendants(start: Node, budget: Budget): readonly Node[] {
  const found: Node[] = [];
  const seen = new Set<unknown>();
  const waiting: Node[] = [start];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (typeof node.value === "object" && node.value !== null) {
      if (seen.has(node.value)) continue;
      seen.add(node.value);
    }
    found.push(node);
    for (const child of children(node, budget).toReversed()) waiting.push(child);
  }
  return found;
}

function children({ value }: Node, budget: Budget): readonly Node[] {
  if (Array.isArray(value)) {
    budget.spend(value.length);
    return value.map((inner: unknown, key) => ({ value: inner, parent: value, key }));
  }
  if (!isObject(value)) return [];
  const keys = Object.keys(value);
  budget.spend(keys.length);
  return keys.map((key) => ({ value: value[key], parent: value, key }));
}

function select(node: Node, selector: Selector, around: Walk): readonly Node[] {
  const { value } = node;
  around.budget.spend(1);
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
      return Array.isArray(value) ? slice(value, selector, around.budget) : [];
    case "all":
      return children(node, around.budget);
    case "filter":
      return children(node, around.budget).filter((child) => holds(selector.filter, child.value, around));
  }
}

function slice(value: readonly unknown[], { start, end, step }: Extract<Selector, { kind: "slice" }>, budget: Budget): readonly Node[] {
  const { length } = value;
  if (step === 0) return [];
  const at = (place: number | undefined, otherwise: number): number =>
    place === undefined ? otherwise : place < 0 ? length + place : place;
  const low = step > 0 ? 0 : -1;
  const limit = (place: number): number => Math.min(Math.max(place, low), step > 0 ? length : length - 1);
  const [from, to] = step > 0 ? [limit(at(start, 0)), limit(at(end, length))] : [limit(at(start, length - 1)), limit(at(end, -length - 1))];
  budget.spend(Math.ceil(Math.abs(to - from) / Math.abs(step)));
  const found: Node[] = [];
  for (let key = from; step > 0 ? key < to : key > to; key += step) found.push({ value: value[key], parent: value as object, key });
  return found;
}

function holds(filter: Filter, node: unknown, around: Walk): boolean {
  switch (filter.kind) {
    case "or":
      return filter.parts.some((part) => holds(part, node, around));
    case "and":
      return filter.parts.every((part) => holds(part, node, around));
    case "not":
      return !holds(filter.part, node, around);
    case "exists":
      return nodesOf(filter.query, node, around).length > 0;
    case "test":
      return call(filter.call, node, around) === true;
    case "compare":
      return compare(filter.operator, read(filter.left, node, around), read(filter.right, node, around), around.budget);
  }
}

function nodesOf({ from, segments }: Query, node: unknown, around: Walk): readonly Node[] {
  return walk([{ value: from === "$" ? around.root : node, parent: undefined, key: undefined }], segments, around);
}

/** The value of an operand; undefined is "nothing", which equals only itself. */
function read(operand: Operand, node: unknown, around: Walk): unknown {
  if (operand.kind === "literal") return operand.value;
  if (operand.kind === "call") return call(operand.call, node, around);
  const nodes = nodesOf(operand.query, node, around);
  return nodes.length === 1 ? nodes[0]!.value : undefined;
}

function compare(operator: string, left: unknown, right: unknown, budget: Budget): boolean {
  if (typeof left === "object" && typeof right === "object") spendAll(left, budget);
  const isEqual = left === undefined || right === undefined ? left === right : jsonEquals(left, right);
  if (operator === "==") return isEqual;
  if (operator === "!=") return !isEqual;
  const isOrdered = (typeof left === "number" && typeof right === "number") || (typeof left === "string" && typeof right === "string");
  const isLess = isOrdered && (operator.startsWith("<") ? left < right : left > right);
  return isLess || (operator.length === 2 && isEqual);
}

const maxDepth = 1_000;

/** Comparing values takes a step for each part of one. */
function spendAll(start: unknown, budget: Budget): void {
  const waiting: { readonly value: unknown; readonly depth: number }[] = [{ value: start, depth: 0 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { value, depth } = next;
    if (typeof value !== "object" || value === null) continue;
    if (depth > maxDepth)
      throw new ToolError("CONFIG_INVALID", `A JSONPath compares values that are nested more than ${maxDepth.toLocaleString("en")} deep.`);
    const inner = Object.values(value) as unknown[];
    budget.spend(inner.length);
    for (const one of inner) waiting.push({ value: one, depth: depth + 1 });
  }
}

function call({ name, args }: FunctionCall, node: unknown, around: Walk): unknown {
  const [first, second] = args;
  if (first === undefined) return undefined;
  if (name === "count") return first.kind === "query" ? nodesOf(first.query, node, around).length : undefined;
  const value = read(first, node, around);
  if (name === "value") return value;
  if (typeof value === "string") around.budget.spend(Math.ceil(value.length / 10));
  if (name === "length")
    return typeof value === "string"
      ? [...value].length
      : typeof value === "object" && value !== null
        ? Object.keys(value).length
        : undefined;
  const pattern = second === undefined ? undefined : read(second, node, around);
  if (typeof value !== "string" || typeof pattern !== "string") return false;
  try {
    return compilePattern(name === "match" ? `^(?:${pattern})$` : pattern).test(value);
  } catch {
    return false;
  }
}
