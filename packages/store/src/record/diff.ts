import { type Breadcrumb, contentOf } from "./breadcrumb.ts";
import { isObject, jsonEquals } from "./json.ts";

/** One place where two revisions differ: "context.inputSchema.type", or "tags". */
export interface Difference {
  readonly path: string;
  /** Absent where the first revision has nothing there. */
  readonly before?: unknown;
  readonly after?: unknown;
}

/** What an author changed between two revisions, in the order of the paths. Lists are compared whole. */
export function diffRecords(before: Breadcrumb, after: Breadcrumb): readonly Difference[] {
  const found: Difference[] = [];
  compare(contentOf(before), contentOf(after), "", found);
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}

function compare(before: unknown, after: unknown, path: string, found: Difference[]): void {
  if (jsonEquals(before, after)) return;
  if (!isObject(before) || !isObject(after)) {
    found.push({ path, ...(before !== undefined && { before }), ...(after !== undefined && { after }) });
    return;
  }
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const own = (value: object): unknown => (Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined);
    compare(own(before), own(after), path === "" ? key : `${path}.${key}`, found);
  }
}
