import { ToolInputError } from "@toolrack/core";
import { isObject, type JsonObject } from "@toolrack/json-schema/internal";
import { own, setOwn } from "../document/json.ts";
import { createBudget } from "../overlay/budget.ts";
import { selectNodes } from "../overlay/select.ts";

const maxFields = 50;
const maxLength = 2_000;
const maxSteps = 1_000_000;

/**
 * What is asked for of an answer. Names keep the shape: ["id", "owner.login"] of each item of a list. A JSONPath gives the list of what it selects;
 * several, or both, give an object by path.
 */
export function project(data: unknown, fields: readonly string[]): unknown {
  if (!Array.isArray(fields) || fields.length > maxFields || fields.some((field) => typeof field !== "string" || field === ""))
    throw new ToolInputError(`The fields of an answer must be a list of at most ${maxFields} names or JSONPaths.`);
  if (fields.some((field) => field.length > maxLength))
    throw new ToolInputError(`A field of an answer must have at most ${maxLength.toLocaleString("en")} characters.`);
  const paths = fields.filter((field) => field.startsWith("$"));
  const names = fields.filter((field) => !field.startsWith("$"));
  if (paths.length === 0) return fields.length === 0 ? data : pick(data, toTree(names));
  const budget = createBudget(
    maxSteps,
    (fact) => new ToolInputError(`Selecting the fields of this answer ${fact}. Use names, or JSONPaths with fewer ".." and filters.`),
  );
  const selected = paths.map((path) => [path, selectNodes(data, path, budget).map(({ value }) => value)] as const);
  if (paths.length === 1 && names.length === 0) return selected[0]![1];
  return { ...Object.fromEntries(selected), ...(names.length > 0 && { fields: pick(data, toTree(names)) }) };
}

/** { owner: { login: {} } }: an empty branch keeps everything below it. */
type Tree = Map<string, Tree>;

function toTree(names: readonly string[]): Tree {
  const tree: Tree = new Map();
  for (const name of names) {
    let branch = tree;
    for (const part of name.split(".")) {
      const next: Tree = branch.get(part) ?? new Map();
      branch.set(part, next);
      branch = next;
    }
  }
  return tree;
}

function pick(value: unknown, tree: Tree): unknown {
  if (tree.size === 0) return value;
  if (Array.isArray(value)) return value.map((item) => pick(item, tree));
  if (!isObject(value)) return value;
  const kept: JsonObject = {};
  for (const [name, branch] of tree) {
    const inner = own(value, name);
    if (inner !== undefined) setOwn(kept, name, pick(inner, branch));
  }
  return kept;
}
