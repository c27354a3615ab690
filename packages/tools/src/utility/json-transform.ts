import { defineTool, type ToolDefinition, ToolInputError } from "@toolrack/core";
import { heavyTurn } from "@toolrack/core/node";
import { createSteps, type Steps } from "./_steps.ts";
import { type JsonPath, readPath } from "./json-path.ts";
import { createMeasure, includesText, isEqualJson } from "./json-values.ts";

export function createJsonTransform(): ToolDefinition {
  return defineTool({
    name: "json_transform",
    title: "Transform JSON",
    description:
      "Changes the shape of JSON data. extract: what a path leads to. map: each item as a new object. filter: the items that meet a condition. sort: the items in order. Paths look like items[0].name or items[*].name.",
    inputSchema: {
      type: "object",
      properties: {
        data: { description: "The data: an object or a list." },
        operation: { type: "string", enum: ["extract", "map", "filter", "sort"], description: "What to do with it." },
        json_path: {
          type: "string",
          maxLength: 500,
          default: "",
          description: "The JSON path of the value to transform. Default: the whole document.",
        },
        mapping: {
          type: "object",
          description: "For map: the new keys, each with a path inside of an item.",
          additionalProperties: { type: "string", maxLength: 500 },
          maxProperties: 100,
        },
        condition: {
          type: "object",
          description: "For filter: what must hold for an item.",
          properties: {
            json_path: { type: "string", maxLength: 500, default: "", description: "Where inside of an item; the item itself if empty." },
            op: { type: "string", enum: ["eq", "ne", "gt", "gte", "lt", "lte", "contains", "exists"], description: "How to compare." },
            value: { description: "What to compare with; exists needs none." },
          },
          required: ["op"],
          additionalProperties: false,
        },
        sort_by: {
          type: "string",
          maxLength: 500,
          default: "",
          description: "For sort: a path inside of an item; the item itself if empty.",
        },
        descending: { type: "boolean", default: false, description: "For sort: the largest first." },
      },
      required: ["data", "operation"],
      additionalProperties: false,
    },
    outputSchema: { type: "object", properties: { result: { description: "The changed data." } }, required: ["result"] },
    metadata: {
      category: "utility",
      optionality: "optional",
      usageHint: "To pick what matters from a large result before working with it.",
      examples: [
        {
          description: "The names of all items",
          input: { data: { items: [{ name: "tea" }, { name: "rice" }] }, operation: "extract", json_path: "items[*].name" },
          output: { result: ["tea", "rice"] },
          usage: "result.result[0]",
        },
        {
          description: "Items with new keys",
          input: { data: [{ n: "tea", p: { eur: 4 } }], operation: "map", mapping: { name: "n", price: "p.eur" } },
          output: { result: [{ name: "tea", price: 4 }] },
        },
        {
          description: "Items above a price",
          input: { data: [{ price: 4 }, { price: 9 }], operation: "filter", condition: { json_path: "price", op: "gt", value: 5 } },
          output: { result: [{ price: 9 }] },
        },
        {
          description: "The dearest first",
          input: { data: [{ price: 4 }, { price: 9 }], operation: "sort", sort_by: "price", descending: true },
          output: { result: [{ price: 9 }, { price: 4 }] },
        },
      ],
      annotations: { readOnly: true, idempotent: true, openWorld: false },
      limits: { timeoutMs: 10_000, maxResultBytes },
      groups: ["utility"],
      aliases: { path: "json_path" },
    },
    async handler({ data, operation, json_path, mapping, condition, sort_by, descending }) {
      await heavyTurn();
      const steps = createSteps(maxSteps, "Set json_path to a smaller part of the data, or give less data.");
      const found = readPath(json_path).read(data, steps);
      if (operation === "extract") return { result: found ?? null };
      if (!Array.isArray(found))
        throw new ToolInputError(
          `"${operation}" needs a list, but ${json_path === "" ? "the data" : `"${json_path}"`} is none. Set json_path to a list in it.`,
        );
      switch (operation) {
        case "map":
          return { result: mapItems(found, mapping, steps) };
        case "filter":
          return { result: filterItems(found, condition, steps) };
        case "sort":
          return { result: sortItems(found, sort_by, descending, steps) };
      }
    },
  });
}

const maxResultBytes = 1_048_576;
/** A few tens of milliseconds. */
const maxSteps = 1_000_000;

function mapItems(items: readonly unknown[], mapping: Readonly<Record<string, string>> | undefined, steps: Steps): unknown[] {
  if (mapping === undefined) throw new ToolInputError('"map" needs a mapping: the new keys, each with a path inside of an item.');
  const paths = Object.entries(mapping).map(([key, path]) => [key, readPath(path)] as const);
  const measure = createMeasure(steps);
  let length = 0;
  return items.map((item) =>
    Object.fromEntries(
      paths.map(([key, path]) => {
        const value = path.read(item, steps) ?? null;
        length += key.length + 4 + measure(value);
        if (length > maxResultBytes)
          throw new ToolInputError(
            `The result would be larger than ${maxResultBytes} bytes. Map to smaller parts of the items, or to fewer.`,
          );
        return [key, value];
      }),
    ),
  );
}

interface ItemCondition {
  readonly json_path: string;
  readonly op: keyof typeof comparisons;
  readonly value?: unknown;
}

function filterItems(items: readonly unknown[], condition: ItemCondition | undefined, steps: Steps): unknown[] {
  if (condition === undefined) throw new ToolInputError('"filter" needs a condition: { json_path, op, value }.');
  const path = readPath(condition.json_path);
  const holds = comparisons[condition.op];
  return items.filter((item) => holds(path.read(item, steps), condition.value, steps));
}

const comparisons = {
  eq: (found: unknown, value: unknown, steps: Steps) => isEqualJson(found, value, steps),
  ne: (found: unknown, value: unknown, steps: Steps) => !isEqualJson(found, value, steps),
  gt: (found: unknown, value: unknown) => isComparable(found, value) && compare(found, value) > 0,
  gte: (found: unknown, value: unknown) => isComparable(found, value) && compare(found, value) >= 0,
  lt: (found: unknown, value: unknown) => isComparable(found, value) && compare(found, value) < 0,
  lte: (found: unknown, value: unknown) => isComparable(found, value) && compare(found, value) <= 0,
  contains: (found: unknown, value: unknown, steps: Steps) =>
    Array.isArray(found)
      ? found.some((item) => isEqualJson(item, value, steps))
      : typeof found === "string" && typeof value === "string" && includesText(found, value, steps),
  exists: (found: unknown) => found !== undefined,
} as const;

function isComparable(a: unknown, b: unknown): boolean {
  return typeof a === typeof b && (typeof a === "number" || typeof a === "string");
}

/** Items without the value come last, in both directions; numbers come before texts. */
function sortItems(items: readonly unknown[], sortBy: string, isDescending: boolean, steps: Steps): unknown[] {
  const path: JsonPath = readPath(sortBy);
  const keyed = items.map((item) => ({ item, key: path.read(item, steps) }));
  steps.take(Math.ceil(items.length * Math.log2(items.length + 1)));
  const sortable = keyed.filter(({ key }) => typeof key === "number" || typeof key === "string");
  const rest = keyed.filter(({ key }) => typeof key !== "number" && typeof key !== "string");
  sortable.sort((a, b) => (isDescending ? -1 : 1) * compare(a.key, b.key));
  return [...sortable, ...rest].map(({ item }) => item);
}

function compare(a: unknown, b: unknown): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  if (typeof a !== typeof b) return typeof a === "number" ? -1 : 1;
  return (a as string) < (b as string) ? -1 : (a as string) > (b as string) ? 1 : 0;
}
