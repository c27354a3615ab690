import type { JsonSchema } from "@toolrack/json-schema";
import { isObject, type JsonObject, readSchemaShape } from "@toolrack/json-schema/internal";
import { type AnyTool, readTool } from "./shapes.ts";
import { changeTool, type ToolDefinition } from "./tool.ts";

/**
 * The same tool without some values of its parameter `action`: its schema no longer lists them, nor parameters and examples that only they
 * have, and a call of one is invalid. A tool that lists none of them, or would have no action left, is returned as it is.
 */
export function withoutActions(shape: AnyTool, actions: readonly string[]): ToolDefinition {
  const tool = readTool(shape);
  const known = actionsOf(tool);
  const removed = new Set(known === undefined ? actions : known.filter((action) => actions.includes(action)));
  if (removed.size === 0 || (known !== undefined && removed.size === known.length)) return tool;
  const { metadata } = tool;
  const examples = metadata?.examples?.filter(({ input }) => !removed.has(input["action"] as string));
  return changeTool(tool, {
    inputSchema: readSchemaShape(narrow(tool.inputSchema, removed, known)),
    ...(metadata && { metadata: Object.freeze({ ...metadata, ...(examples && { examples: Object.freeze(examples) }) }) }),
  });
}

/** The actions that the schema of a tool lists: as values of `action`, or in alternatives. Undefined if it does not list them. */
export function actionsOf({ inputSchema }: Pick<ToolDefinition, "inputSchema">): readonly string[] | undefined {
  const listed = valuesIn(inputSchema);
  if (listed !== undefined) return listed;
  const branches = alternativesIn(inputSchema)?.map(valuesIn);
  return branches?.every((values) => values !== undefined) ? [...new Set(branches.flat())] : undefined;
}

function narrow(schema: JsonSchema, removed: ReadonlySet<string>, known: readonly string[] | undefined): JsonObject {
  const root = schema as JsonObject;
  const isLeft = (branch: unknown): boolean => valuesIn(branch)?.every((action) => removed.has(action)) !== true;
  if (known === undefined) return { ...root, ...refusal(root, removed) };
  const branches = (["oneOf", "anyOf"] as const).filter((keyword) => Array.isArray(root[keyword]));
  const kept: JsonObject = {
    ...root,
    ...Object.fromEntries(branches.map((keyword) => [keyword, (root[keyword] as unknown[]).filter(isLeft)])),
    ...(Array.isArray(root["allOf"]) && {
      allOf: root["allOf"].filter((rule) => !isObject(rule) || !("if" in rule) || isLeft(rule["if"])),
    }),
  };
  // An alternative may list several actions, of which some are left.
  if (valuesIn(root) === undefined) return { ...kept, ...refusal(root, removed) };
  const properties = root["properties"] as JsonObject;
  const left = known.filter((action) => !removed.has(action));
  const taken = takenBy(left, kept["allOf"]);
  const names = Object.keys(properties).filter((name) => taken?.has(name) !== false);
  const action = { ...(properties["action"] as JsonObject), enum: left };
  return { ...kept, properties: Object.fromEntries(names.map((name) => [name, name === "action" ? action : properties[name]])) };
}

/** A rule that refuses the actions, beside a rule of the schema's own. */
function refusal({ not }: JsonObject, removed: ReadonlySet<string>): JsonObject {
  const rule = { properties: { action: { enum: [...removed] } }, required: ["action"] };
  return { not: not === undefined ? rule : { anyOf: [not, rule] } };
}

/** The parameters that the actions take, if a rule for each of them says which. */
function takenBy(actions: readonly string[], rules: unknown): ReadonlySet<string> | undefined {
  const found = actions.map((action) => {
    const rule = (Array.isArray(rules) ? rules : []).find((one) => isObject(one) && valuesIn(one["if"])?.includes(action) === true);
    const then: unknown = isObject(rule) ? rule["then"] : undefined;
    return isObject(then) && then["additionalProperties"] === false && isObject(then["properties"])
      ? Object.keys(then["properties"])
      : undefined;
  });
  return found.every((names) => names !== undefined) ? new Set(found.flat()) : undefined;
}

/** The values that a schema has for `action`. */
function valuesIn(schema: unknown): readonly string[] | undefined {
  const properties = isObject(schema) ? schema["properties"] : undefined;
  const action = isObject(properties) && Object.hasOwn(properties, "action") ? properties["action"] : undefined;
  if (!isObject(action)) return undefined;
  const values: unknown = "const" in action ? [action["const"]] : action["enum"];
  return Array.isArray(values) && values.every((value) => typeof value === "string") ? values : undefined;
}

function alternativesIn(schema: JsonSchema): readonly unknown[] | undefined {
  const { oneOf, anyOf } = schema as JsonObject;
  const found = oneOf ?? anyOf;
  return Array.isArray(found) && found.length > 0 ? found : undefined;
}
