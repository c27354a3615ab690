import { ToolError } from "@toolrack/core";
import { checkFields, type FieldKind, isObject } from "@toolrack/core/internal";
import type { OperationFilter } from "../options.ts";

/** What filters look at. */
export interface Filtered {
  readonly method: string;
  readonly path: string;
  readonly operationId: string | undefined;
  readonly tags: readonly string[];
}

export type OperationTest = (operation: Filtered) => boolean;

/** Reads filters once; an operation passes if one of them matches. */
export function readFilters(filters: OperationFilter | readonly OperationFilter[], option: string): OperationTest {
  const tests = (Array.isArray(filters) ? (filters as readonly OperationFilter[]) : [filters as OperationFilter]).map((filter) =>
    readFilter(filter, option),
  );
  return (operation) => tests.some((test) => test(operation));
}

function readFilter(filter: OperationFilter, option: string): OperationTest {
  if (typeof filter === "string") return readText(filter, option);
  if (!isObject(filter)) throw new ToolError("CONFIG_INVALID", `${option} must hold texts or { tag, path, method, operationId }.`);
  checkFields(filter, fields, { subject: option, word: "option" });
  const { tag, path, method, operationId } = filter;
  const tests: OperationTest[] = [];
  if (tag !== undefined) tests.push(({ tags }) => tags.some(anyOf(tag)));
  if (path !== undefined) tests.push((operation) => anyOf(path)(operation.path));
  if (method !== undefined) tests.push((operation) => anyOf(method, "i")(operation.method));
  if (operationId !== undefined)
    tests.push((operation) => operation.operationId !== undefined && anyOf(operationId)(operation.operationId));
  if (tests.length === 0) throw new ToolError("CONFIG_INVALID", `${option} has an empty filter. Name a tag, path, method or operationId.`);
  return (operation) => tests.every((test) => test(operation));
}

const texts: FieldKind = {
  is: "a text or a list of texts",
  test: (value) => typeof value === "string" || (Array.isArray(value) && value.every((item) => typeof item === "string")),
};
const fields = { tag: texts, path: texts, method: texts, operationId: texts };

/** "tag:pets", "GET /pets/*", "/pets/**", "GET", or a pattern of operationIds. */
function readText(filter: string, option: string): OperationTest {
  const tag = /^tag:(.+)$/.exec(filter)?.[1];
  if (tag !== undefined) return ({ tags }) => tags.some(anyOf(tag));
  const [, method, path] = /^([A-Za-z]+|\*)? ?(\/.*)$/.exec(filter) ?? [];
  if (path !== undefined)
    return (operation) => (method === undefined || anyOf(method, "i")(operation.method)) && anyOf(path)(operation.path);
  if (/^(?:GET|PUT|POST|DELETE|OPTIONS|HEAD|PATCH|QUERY)$/.test(filter)) return (operation) => operation.method === filter;
  if (filter.trim() === "") throw new ToolError("CONFIG_INVALID", `${option} has an empty text. Write a tag, a path or an operationId.`);
  return (operation) => operation.operationId !== undefined && anyOf(filter)(operation.operationId);
}

/** Whether a text matches one of the patterns; `*` does not cross a slash, `**` does. Linear: the parts between stars are sought one by one. */
function anyOf(patterns: string | readonly string[], flag = ""): (text: string) => boolean {
  const list = (typeof patterns === "string" ? [patterns] : patterns).map((pattern) => (flag === "i" ? pattern.toLowerCase() : pattern));
  return (text) => {
    const given = flag === "i" ? text.toLowerCase() : text;
    return list.some((pattern) => matches(pattern, given));
  };
}

/** A table of which ends of the pattern are reached after each character: as long as pattern times text, whatever the stars. */
function matches(pattern: string, text: string): boolean {
  const tokens = pattern.match(/\*\*|\*|[^*]/gsu) ?? [];
  let reached = new Set(withStars(tokens, 0));
  for (const character of text) {
    const next = new Set<number>();
    for (const at of reached) {
      const token = tokens[at];
      if (token === undefined) continue;
      if (token === "**" || (token === "*" && character !== "/")) for (const one of withStars(tokens, at)) next.add(one);
      else if (token === character) for (const one of withStars(tokens, at + 1)) next.add(one);
    }
    if (next.size === 0) return false;
    reached = next;
  }
  return reached.has(tokens.length);
}

/** A star may stand for nothing: the places behind it are reached, too. */
function withStars(tokens: readonly string[], from: number): readonly number[] {
  const places = [from];
  for (let at = from; tokens[at]?.startsWith("*"); at++) places.push(at + 1);
  return places;
}
