import { StoreError } from "../errors.ts";
import type { Breadcrumb } from "../record/breadcrumb.ts";
import { copyJson } from "../record/copy-json.ts";
import { jsonEquals } from "../record/json.ts";

export type Operator = "eq" | "ne" | "gt" | "lt" | "gte" | "lte" | "in" | "contains" | "exists";

/** A comparison with one field: { path: "context.category", op: "eq", value: "general" }. */
export interface Condition {
  /** A field of the record; below `context` and `tags` any path, its parts divided by dots. */
  readonly path: string;
  readonly op: Operator;
  /** For "in" a list; for "exists" true (also when absent) or false. */
  readonly value?: unknown;
}

/** Checks a condition once and gives a test. An unknown operator, path or a value of the wrong kind throws: nothing matches by mistake. */
export function readCondition(condition: Condition): (record: Breadcrumb) => boolean {
  const { path, op, value } = condition ?? {};
  const parts = typeof path === "string" ? path.split(".") : [];
  const [head] = parts;
  if (head === undefined || !fields.has(head) || (parts.length > 1 && !nested.has(head)) || parts.includes("") || parts.length > 64) {
    throw invalid(`The path ${show(path)} is not a field of a record. Use one of ${[...fields].join(", ")}, or a path below context.`);
  }
  if (typeof op !== "string" || !Object.hasOwn(operators, op)) {
    throw invalid(`The operator ${show(op)} is not known. Known are ${Object.keys(operators).join(", ")}.`);
  }
  const test = operators[op](plainValue(value));
  return (record) => test(fieldAt(record, parts));
}

const fields: ReadonlySet<string> = new Set<keyof Breadcrumb>([
  "id",
  "schema_name",
  "title",
  "tags",
  "context",
  "version",
  "semantic_version",
  "checksum",
  "created_at",
  "created_by",
  "updated_at",
  "updated_by",
  "updated_as",
  "visibility",
  "sensitivity",
]);
const nested: ReadonlySet<string> = new Set(["context", "tags"]);

const operators: Record<Operator, (wanted: unknown) => (found: unknown) => boolean> = {
  eq(wanted) {
    given(wanted, "eq");
    return (found) => found !== undefined && jsonEquals(found, wanted);
  },
  // A field that is not there differs from everything.
  ne(wanted) {
    given(wanted, "ne");
    return (found) => found === undefined || !jsonEquals(found, wanted);
  },
  gt: (wanted) => ordered(wanted, (order) => order > 0),
  lt: (wanted) => ordered(wanted, (order) => order < 0),
  gte: (wanted) => ordered(wanted, (order) => order >= 0),
  lte: (wanted) => ordered(wanted, (order) => order <= 0),
  in(wanted) {
    if (!Array.isArray(wanted)) throw invalid('"in" needs a list of values.');
    return (found) => found !== undefined && wanted.some((item) => jsonEquals(found, item));
  },
  contains(wanted) {
    given(wanted, "contains");
    return (found) =>
      Array.isArray(found)
        ? found.some((item) => jsonEquals(item, wanted))
        : typeof found === "string" && typeof wanted === "string" && found.includes(wanted);
  },
  exists(wanted = true) {
    if (typeof wanted !== "boolean") throw invalid('"exists" takes true or false.');
    return (found) => (found !== undefined) === wanted;
  },
};

/** Numbers compare with numbers and texts with texts; other pairs have no order, and match nothing. */
function ordered(wanted: unknown, fits: (order: number) => boolean): (found: unknown) => boolean {
  if (typeof wanted !== "number" && typeof wanted !== "string") throw invalid("gt, lt, gte and lte need a number or a text.");
  return (found) => {
    if (typeof found !== typeof wanted) return false;
    return fits((found as string) < (wanted as string) ? -1 : (found as string) > (wanted as string) ? 1 : 0);
  };
}

/** A copy, so that it cannot change later; limited in size, so that comparing it is fast. */
function plainValue(value: unknown): unknown {
  try {
    return copyJson({ value }, "A value in where", 65_536)["value"];
  } catch (error) {
    throw invalid((error as Error).message);
  }
}

function given(wanted: unknown, op: string): unknown {
  if (wanted === undefined) throw invalid(`"${op}" needs a value.`);
  return wanted;
}

function fieldAt(record: Breadcrumb, parts: readonly string[]): unknown {
  let found: unknown = record;
  for (const part of parts) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, part)) return undefined;
    found = (found as Record<string, unknown>)[part];
  }
  return found;
}

function show(value: unknown): string {
  return typeof value === "string" ? JSON.stringify(value.slice(0, 80)) : `(${typeof value})`;
}

function invalid(message: string): StoreError {
  return new StoreError("QUERY_INVALID", message);
}
