import type { Caller, ToolDefinition, ToolResult } from "@toolrack/core";

/** What results of tools without an output schema looked like: names and types, never values. */
export interface SeenShapes {
  note(tool: ToolDefinition, caller: Caller, result: ToolResult): void;
  /** As a schema; undefined if nothing is known. */
  of(tool: ToolDefinition, caller: Caller): Shape | undefined;
}

export type Shape = Readonly<Record<string, unknown>>;

/**
 * Kept in memory, for each caller: what one was answered is not shown to another. A tool that changes is another tool, and begins without a
 * shape.
 */
export function createSeenShapes(): SeenShapes {
  const shapes = new WeakMap<ToolDefinition, Map<string, { shape: Shape; count: number }>>();
  return {
    note(tool, caller, result) {
      if (!result.ok || result.data === undefined || tool.outputSchema !== undefined) return;
      const callers = shapes.get(tool) ?? new Map<string, { shape: Shape; count: number }>();
      const key = keyOf(caller);
      const known = callers.get(key);
      if (known === undefined) {
        if (callers.size >= maxCallers) callers.delete(callers.keys().next().value!);
        callers.set(key, { shape: shapeOf(result.data, 0), count: 1 });
        shapes.set(tool, callers);
      } else if (known.count < maxResults) {
        known.shape = merge(known.shape, shapeOf(result.data, 0));
        known.count++;
      }
    },
    of: (tool, caller) => shapes.get(tool)?.get(keyOf(caller))?.shape,
  };
}

const maxCallers = 100;
/** The first results tell what there is to know. */
const maxResults = 5;
const maxDepth = 4;
const maxItems = 5;
const maxMembers = 24;
/** Other keys are data, as in an object with an entry for each mail address: they are not shown. */
const memberName = /^[A-Za-z_][A-Za-z0-9_]{0,39}$/;

function keyOf({ tenant, principal, agent }: Caller): string {
  return JSON.stringify([tenant, principal, agent]);
}

function shapeOf(value: unknown, depth: number): Shape {
  if (value === null) return { type: "null" };
  if (Array.isArray(value)) {
    if (depth >= maxDepth || value.length === 0) return { type: "array" };
    const [first, ...rest] = value.slice(0, maxItems).map((item) => shapeOf(item, depth + 1)) as [Shape, ...Shape[]];
    return { type: "array", items: rest.reduce(merge, first) };
  }
  if (typeof value !== "object") return { type: typeof value };
  const entries = Object.entries(value);
  if (depth >= maxDepth || entries.length > maxMembers || !entries.every(([key]) => memberName.test(key))) return { type: "object" };
  return {
    type: "object",
    properties: Object.fromEntries(entries.map(([key, item]) => [key, shapeOf(item, depth + 1)])),
    required: entries.map(([key]) => key),
  };
}

/** What holds for both: a member that one of them lacks is optional. */
function merge(a: Shape, b: Shape): Shape {
  if (a["type"] === "array" && b["type"] === "array") {
    const items =
      a["items"] === undefined || b["items"] === undefined ? (a["items"] ?? b["items"]) : merge(a["items"] as Shape, b["items"] as Shape);
    return { type: "array", ...(items !== undefined && { items }) };
  }
  if (a["type"] === "object" && b["type"] === "object") {
    const [one, other] = [a["properties"], b["properties"]] as [Record<string, Shape> | undefined, Record<string, Shape> | undefined];
    if (one === undefined || other === undefined) return { type: "object" };
    const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
    if (names.length > maxMembers) return { type: "object" };
    const of = (from: Record<string, Shape>, name: string): Shape | undefined => (Object.hasOwn(from, name) ? from[name] : undefined);
    const needed = b["required"] as readonly string[];
    return {
      type: "object",
      properties: Object.fromEntries(
        names.map((name) => {
          const [left, right] = [of(one, name), of(other, name)];
          return [name, left === undefined || right === undefined ? (left ?? right)! : merge(left, right)];
        }),
      ),
      required: (a["required"] as readonly string[]).filter((name) => needed.includes(name)),
    };
  }
  const all = [...branches(a), ...branches(b)];
  const unlike = all.filter((one, at) => all.findIndex((other) => JSON.stringify(other) === JSON.stringify(one)) === at);
  return unlike.length === 1 ? unlike[0]! : { anyOf: unlike.slice(0, maxItems) };
}

function branches(shape: Shape): readonly Shape[] {
  return (shape["anyOf"] as readonly Shape[] | undefined) ?? [shape];
}
