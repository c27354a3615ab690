import { ToolError } from "@toolrack/core";
import { isObject, type JsonObject } from "@toolrack/json-schema/internal";
import { own, ownText, setOwn } from "../document/json.ts";
import { parseDocument } from "../document/parse.ts";
import { selectNodes } from "./select.ts";

/**
 * Applies OpenAPI Overlays 1.0 (and `copy` of 1.1) to a copy of the document. An action that hits nothing is a warning; an overlay that cannot be
 * read throws a ToolError.
 */
export function applyOverlays(
  root: JsonObject,
  overlays: readonly unknown[],
): { readonly root: JsonObject; readonly warnings: readonly string[] } {
  if (overlays.length === 0) return { root, warnings: [] };
  const warnings: string[] = [];
  const holder: JsonObject = { root: copy(root, 0) };
  for (const [index, given] of overlays.entries()) {
    const what = `The overlay ${index + 1}`;
    const overlay = parseDocument(given, what);
    warnings.push(...overlay.warnings);
    const version = ownText(overlay.root, "overlay");
    const actions = own(overlay.root, "actions");
    if (version === undefined || !/^1\.[01](?:\.|$)/.test(version) || !Array.isArray(actions))
      throw new ToolError("DEFINITION_INVALID", `${what} must have overlay: 1.0.0 and a list of actions.`);
    for (const [at, action] of actions.entries()) {
      const hit = apply(action, holder, `${what}, action ${at + 1}`);
      if (hit === 0)
        warnings.push(`${what}, action ${at + 1}: the target ${JSON.stringify(own(action, "target"))} matches nothing in the document.`);
    }
  }
  if (!isObject(holder["root"])) throw new ToolError("DEFINITION_INVALID", "An overlay removed the whole document.");
  return { root: holder["root"], warnings };
}

/** Applies an action; answers how many places it changed. */
function apply(action: unknown, holder: JsonObject, what: string): number {
  const target = ownText(action, "target");
  if (target === undefined) throw new ToolError("DEFINITION_INVALID", `${what} has no target. Write a JSONPath such as $.paths.`);
  const nodes = selectNodes(holder["root"], target);
  if (own(action, "remove") === true) {
    // From the last to the first, so that the places of a list stay what they were.
    for (const { parent, key } of nodes.toReversed()) {
      if (Array.isArray(parent)) parent.splice(key as number, 1);
      else if (parent === undefined) delete holder["root"];
      else delete (parent as JsonObject)[key as string];
    }
    return nodes.length;
  }
  const from = ownText(action, "copy");
  const source = from === undefined ? undefined : selectNodes(holder["root"], from);
  if (source !== undefined && source.length !== 1)
    throw new ToolError("DEFINITION_INVALID", `${what}: copy must name one place, and ${from} names ${source.length}.`);
  const update = source?.[0]?.value ?? own(action, "update");
  if (update === undefined) return nodes.length;
  for (const { value, parent, key } of nodes) {
    const merged = merge(value, update);
    if (parent === undefined) holder["root"] = merged;
    else if (Array.isArray(parent)) parent[key as number] = merged;
    else setOwn(parent as JsonObject, key as string, merged);
  }
  return nodes.length;
}

/** Objects are merged deeply, lists are appended to, everything else is replaced. */
function merge(value: unknown, update: unknown): unknown {
  if (Array.isArray(value))
    return [...(value as unknown[]), ...(Array.isArray(update) ? (copy(update, 0) as unknown[]) : [copy(update, 0)])];
  if (!isObject(value) || !isObject(update)) return copy(update, 0);
  for (const key of Object.keys(update))
    setOwn(value, key, Object.hasOwn(value, key) ? merge(value[key], update[key]) : copy(update[key], 0));
  return value;
}

const maxDepth = 500;

function copy(value: unknown, depth: number): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (depth > maxDepth) throw new ToolError("DEFINITION_INVALID", `The document is circular, or nested more than ${maxDepth} deep.`);
  if (Array.isArray(value)) return value.map((item) => copy(item, depth + 1));
  const copied: JsonObject = {};
  for (const key of Object.keys(value)) setOwn(copied, key, copy((value as JsonObject)[key], depth + 1));
  return copied;
}
