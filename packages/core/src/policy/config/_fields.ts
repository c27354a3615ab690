import { isObject, nearestNames } from "@toolrack/json-schema/internal";
import { type ErrorCode, ToolError } from "../../errors.ts";
import { describeValue } from "../entries/entries.ts";
import type { ConfigPath, Locate } from "./shape.ts";

/** A value in a configuration, and its path. */
export interface ConfigNode {
  readonly value: unknown;
  readonly path: ConfigPath;
  readonly context: ReadContext;
}

export interface ReadContext {
  readonly locate?: Locate;
  /** Full names of the groups that entries may name. */
  readonly groups: ReadonlySet<string>;
  readonly profiles: ReadonlySet<string>;
}

type Readers<Shape> = { readonly [Key in keyof Shape]-?: (node: ConfigNode) => NonNullable<Shape[Key]> };

/** Reads an object by a table of its keys. Undefined counts as absent; a key that is not in the table is an error. */
export function readFields<Shape extends object>(node: ConfigNode, readers: Readers<Shape>): Partial<Shape> {
  const fields: Partial<Shape> = {};
  for (const [key, value] of ownEntries(node)) {
    if (!Object.hasOwn(readers, key)) failUnknown(childOf(node, key), "setting", Object.keys(readers), key);
    if (value !== undefined) fields[key as keyof Shape] = readers[key as keyof Shape](childOf(node, key));
  }
  return Object.freeze(fields);
}

/** Reads an object whose keys are names that an operator chose. Two keys that mean the same name are an error. */
export function readByName<Value>(
  node: ConfigNode,
  toName: (key: string) => string,
  read: (node: ConfigNode) => Value,
): ReadonlyMap<string, Value> {
  const values = new Map<string, Value>();
  for (const [key] of ownEntries(node)) {
    const child = childOf(node, key);
    const name = toName(key);
    if (name === "") fail("CONFIG_INVALID", child, "has no name");
    if (values.has(name)) fail("CONFIG_INVALID", child, `repeats "${name}", which ${showPath(node.path)} already has`);
    values.set(name, read(child));
  }
  return values;
}

export function readText(node: ConfigNode): string {
  if (typeof node.value !== "string" || node.value.trim() === "")
    fail("CONFIG_INVALID", node, `must be a text, but it is ${describeValue(node.value)}`);
  return node.value;
}

export function readNumber(node: ConfigNode): number {
  const { value } = node;
  if (typeof value !== "number" || !(value >= 0))
    fail("CONFIG_INVALID", node, `must be a number of at least 0, but it is ${describeValue(value)}`);
  return value;
}

export function readItems<Value>(node: ConfigNode, read: (node: ConfigNode) => Value): readonly Value[] {
  if (!Array.isArray(node.value)) fail("CONFIG_INVALID", node, `must be a list, but it is ${describeValue(node.value)}`);
  return Object.freeze(node.value.map((_, position) => read(childOf(node, position))));
}

export function childOf({ value, path, context }: ConfigNode, key: string | number): ConfigNode {
  return { value: (value as Record<string | number, unknown>)[key], path: [...path, key], context };
}

function ownEntries(node: ConfigNode): [string, unknown][] {
  if (!isObject(node.value)) fail("CONFIG_INVALID", node, `must be an object, but it is ${describeValue(node.value)}`);
  return Object.entries(node.value);
}

export function fail(code: ErrorCode, { path, context }: ConfigNode, fact: string): never {
  throw new ToolError(code, `${showPath(path)}${showSource(context.locate, path)} ${fact}.`);
}

export function failUnknown(node: ConfigNode, what: string, known: Iterable<string>, name: string): never {
  const names = [...known];
  const nearest = nearestNames(name, names, 1)[0];
  const hint = nearest === undefined ? `Known: ${names.slice(0, 30).join(", ")}` : `Did you mean "${nearest}"?`;
  throw new ToolError(
    "CONFIG_INVALID",
    `${showPath(node.path)}${showSource(node.context.locate, node.path)}: there is no ${what} "${name}". ${hint}${nearest === undefined ? "." : ""}`,
  );
}

/** ["agents", "my bot", "tools", "deny", 0] → agents["my bot"].tools.deny[0] */
export function showPath(path: ConfigPath): string {
  if (path.length === 0) return "The configuration";
  return path
    .map((key, depth) => {
      if (typeof key === "number") return `[${key}]`;
      return /^[\w*:@/+-]+$/.test(key) ? `${depth === 0 ? "" : "."}${key}` : `[${JSON.stringify(key)}]`;
    })
    .join("");
}

export function sourceAt(locate: Locate | undefined, path: ConfigPath): string | undefined {
  const found = locate?.(path);
  return typeof found === "number" ? `line ${found}` : found;
}

function showSource(locate: Locate | undefined, path: ConfigPath): string {
  const source = sourceAt(locate, path);
  return source === undefined ? "" : ` (${source})`;
}
