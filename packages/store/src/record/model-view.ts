import { StoreError } from "../errors.ts";
import { isObject } from "./json.ts";

/**
 * What a model sees of a record's context. Paths are keys joined by dots: "customer.name". `include` names all that is shown, `exclude` what is
 * left out of it; a path that a record has not is no error there. `transform` adds keys, made from the whole context.
 */
export interface ModelView {
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  readonly transform?: Readonly<Record<string, ViewRule>>;
  /** "replace": only the keys of `transform` are shown. @default "merge" */
  readonly mode?: "merge" | "replace";
}

/** One of: a text with {paths} in it ("{{" and "}}" are braces), the value at a path, or a value as it is. */
export type ViewRule = { readonly template: string } | { readonly extract: string } | { readonly literal: unknown };

type Context = Readonly<Record<string, unknown>>;

/** Checks a view that somebody wrote. Throws RECORD_INVALID, with the field and the reason. */
export function readModelView(value: unknown, field: string): ModelView {
  if (!isObject(value)) throw invalid(`${field} must be an object: { include, exclude, transform, mode }.`);
  const { include, exclude, transform, mode, ...others } = value;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw invalid(`${field} has no field "${unknown}". It has include, exclude, transform and mode.`);
  for (const [name, paths] of [
    ["include", include],
    ["exclude", exclude],
  ] as const)
    if (paths !== undefined && !(Array.isArray(paths) && paths.length <= maxRules && paths.every(isPath)))
      throw invalid(`${field}.${name} must be a list of at most ${maxRules} paths, such as "customer.name".`);
  if (mode !== undefined && mode !== "merge" && mode !== "replace") throw invalid(`${field}.mode must be merge or replace.`);
  if (transform !== undefined) readRules(transform, `${field}.transform`);
  if (mode === "replace" && transform === undefined)
    throw invalid(`${field}.mode is replace, and there is no transform: nothing would be shown.`);
  return value as ModelView;
}

const maxRules = 100;

function readRules(transform: unknown, field: string): void {
  if (!isObject(transform) || Object.keys(transform).length > maxRules)
    throw invalid(`${field} must be an object of at most ${maxRules} keys.`);
  for (const [key, rule] of Object.entries(transform)) {
    const kinds = isObject(rule) ? Object.keys(rule) : [];
    if (kinds.length !== 1) throw invalid(`${field}.${key} must have one of template, extract and literal.`);
    const { template, extract } = rule as { template?: unknown; extract?: unknown };
    if (kinds[0] === "template") readTemplate(template, `${field}.${key}.template`);
    else if (kinds[0] === "extract" && !isPath(extract)) throw invalid(`${field}.${key}.extract must be a path, such as "customer.name".`);
    else if (kinds[0] !== "extract" && kinds[0] !== "literal")
      throw invalid(`${field}.${key} has no rule "${kinds[0]}". Use template, extract or literal.`);
  }
}

function readTemplate(template: unknown, field: string): void {
  if (typeof template !== "string") throw invalid(`${field} must be a text, such as "{customer.name} owes {total}".`);
  const [wrong] = [...template.matchAll(pieces)].filter(
    ([piece, path]) => piece === "{" || piece === "}" || (path !== undefined && !isPath(path)),
  );
  if (wrong !== undefined)
    throw invalid(
      `${field} has a brace at character ${wrong.index + 1} that encloses no path. Write {{ and }} for braces, and {a.b} for values.`,
    );
}

function isPath(path: unknown): path is string {
  return typeof path === "string" && path.length <= 512 && path.split(".").every((key) => key !== "" && !forbidden.has(key));
}

/** No own keys of plain data, but of every object. */
const forbidden: ReadonlySet<string> = new Set(["__proto__", "prototype", "constructor"]);

const pieces = /\{\{|\}\}|\{([^{}]*)\}|[{}]/g;

/** The context as a model sees it. Throws VIEW_FAILED where a template or an extract finds nothing: the data itself is never shown instead. */
export function viewContext(context: Context, view: ModelView): Context {
  const { include, exclude = [], transform = {}, mode } = view;
  const shown = mode === "replace" ? {} : include === undefined ? structuredClone(context) : pick(context, include);
  for (const path of exclude) drop(shown, path.split("."));
  for (const [key, rule] of Object.entries(transform)) put(shown, key, applyRule(rule, context, key));
  return shown;
}

function applyRule(rule: ViewRule, context: Context, key: string): unknown {
  if ("literal" in rule) return rule.literal;
  if ("extract" in rule) return valueAt(context, rule.extract, key);
  return rule.template.replaceAll(pieces, (piece, path: string | undefined) => {
    if (path === undefined) return piece.slice(0, 1);
    const value = valueAt(context, path, key);
    return typeof value === "string" ? value : JSON.stringify(value);
  });
}

function valueAt(context: Context, path: string, key: string): unknown {
  const found = find(context, path.split("."));
  if (found !== undefined) return found;
  throw new StoreError(
    "VIEW_FAILED",
    `The view for models needs "${path}" for "${key}", and the record has no such value. Mend the view, or the record.`,
  );
}

function find(value: unknown, keys: readonly string[]): unknown {
  return keys.reduce<unknown>(
    (at, key) => (typeof at === "object" && at !== null && isEnumerable(at, key) ? at[key as never] : undefined),
    value,
  );
}

/** A key of its own that is data: the length of a list is none. */
function isEnumerable(value: object, key: string): boolean {
  return Object.prototype.propertyIsEnumerable.call(value, key);
}

function pick(context: Context, paths: readonly string[]): Record<string, unknown> {
  const shown: Record<string, unknown> = {};
  for (const path of paths) {
    const keys = path.split(".");
    const value = find(context, keys);
    if (value === undefined) continue;
    let at = shown;
    for (const key of keys.slice(0, -1)) {
      if (!isObject(at[key])) put(at, key, {});
      at = at[key] as Record<string, unknown>;
    }
    put(at, keys.at(-1)!, structuredClone(value));
  }
  return shown;
}

function drop(value: unknown, [key, ...rest]: readonly string[]): void {
  if (typeof value !== "object" || value === null || !isEnumerable(value, key!)) return;
  if (rest.length === 0) delete (value as Record<string, unknown>)[key!];
  else drop((value as Record<string, unknown>)[key!], rest);
}

function put(target: object, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, enumerable: true, writable: true, configurable: true });
}

function invalid(message: string): StoreError {
  return new StoreError("RECORD_INVALID", message);
}
