import path from "node:path";
import { type AnyTool, type CallContext, defineTool, type ToolDefinition, ToolError, type ToolMetadata } from "@toolrack/core";
import { deepFreeze, definitionPrint, isObject, jsonEquals, readTool, withinFolder, withPins } from "@toolrack/core/internal";
import { metaToolNames } from "@toolrack/core/search";
import { type JsonSchema, validatorFor } from "@toolrack/json-schema";
import type { ParameterOverlay, ToolOverlay } from "../../config/overlay.ts";
import { highest, isLooser, limitNames, lowest } from "./overlay-merge.ts";

type JsonObject = Readonly<Record<string, unknown>>;

/**
 * The tool as the overlay shows it. What callers give must fit the schema that is shown, and the whole input, with what is pinned, the original one.
 * Relative folders start at `folder`. Throws DEFINITION_INVALID where the overlay does not fit the tool: then nothing is shown, rather than a tool without its restrictions.
 */
export function applyOverlay(shape: AnyTool, overlay: ToolOverlay, folder: string): ToolDefinition {
  const original = readTool(shape);
  const { parameters = {}, name, title, description } = overlay;
  if (name !== undefined && name !== original.name && isReserved(name))
    throw unfit(original, `it cannot be called "${name}", a name that is reserved. Choose another one`);
  requireTighter(original, overlay.limits);
  const changed = Object.entries(parameters);
  const removed = changed.filter(([, { hidden, ...rest }]) => hidden === true || "value" in rest).map(([parameter]) => parameter);
  const inputSchema = changed.length === 0 ? original.inputSchema : changeSchema(original, parameters);
  const metadata = changeMetadata(original, overlay, inputSchema, removed);
  const shown = defineTool({
    ...placed(original, overlay, folder),
    ...(name !== undefined && { name }),
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    inputSchema,
    ...(metadata !== undefined && { metadata }),
    // A function of its own: what finds an operation by its handler would tell what is withheld here.
    handler: changed.length === 0 ? original.handler : (input: JsonObject, context: CallContext) => original.handler(input, context),
  }) as ToolDefinition;
  if (changed.length === 0) return shown;
  return withPins(shown, { own: original, values: deepFreeze(pinnedValues(parameters)), withheld: new Set(removed) });
}

function pinnedValues(parameters: NonNullable<ToolOverlay["parameters"]>): JsonObject {
  const pinned = Object.entries(parameters).filter(([, change]) => "value" in change);
  return Object.fromEntries(pinned.map(([name, { value }]) => [name, value]));
}

/** The tool with the folder for its paths. It bounds them in addition to what does so already. */
function placed(tool: ToolDefinition, { paths }: ToolOverlay, folder: string): ToolDefinition {
  if (paths === undefined) return tool;
  const unknown = paths.parameters?.find((name) => !Object.hasOwn(propertiesOf(tool), name));
  if (unknown !== undefined) throw unfit(tool, `it has no parameter "${unknown}" at the top level of its input schema`);
  return withinFolder(tool, path.resolve(folder, paths.folder), paths.parameters);
}

/** The fields of the original below an overlay, each by its JSON pointer with its print: where one changes, the overlay is stale. */
export function fieldsBelow(
  shape: AnyTool,
  { title, description, parameters = {}, annotations, limits }: ToolOverlay,
): Readonly<Record<string, string>> {
  const tool = readTool(shape);
  const found: [string, unknown][] = [];
  if (title !== undefined) found.push(["/title", tool.title]);
  if (description !== undefined) found.push(["/description", tool.description]);
  if (annotations !== undefined) found.push(["/annotations", tool.metadata?.annotations]);
  if (limits !== undefined) found.push(["/limits", tool.metadata?.limits]);
  for (const name of Object.keys(parameters)) found.push([`/inputSchema/properties/${name}`, own(propertiesOf(tool), name)]);
  return Object.fromEntries(found.map(([pointer, value]) => [pointer, definitionPrint({ value: value ?? null })]));
}

function changeSchema(tool: ToolDefinition, parameters: NonNullable<ToolOverlay["parameters"]>): JsonSchema {
  const { properties: _, required: _required, ...rest } = tool.inputSchema as JsonObject;
  const properties = new Map(Object.entries(propertiesOf(tool)));
  const required = new Set(Array.isArray(_required) ? (_required as string[]) : []);
  for (const [name, change] of Object.entries(parameters)) {
    const before = properties.get(name);
    if (before === undefined) throw unfit(tool, `it has no parameter "${name}" at the top level of its input schema`);
    if (change.hidden === true || "value" in change) {
      if (mentions(rest, name))
        throw unfit(tool, `its input schema has rules about "${name}" beside its properties, so it cannot be taken out`);
      if ("value" in change) requireValid(tool, name, narrowed(tool, name, before, change), change.value);
      else if (required.has(name)) throw unfit(tool, `"${name}" is required, so it cannot be hidden. Pin a value for it instead`);
      properties.delete(name);
      required.delete(name);
    } else properties.set(name, narrowed(tool, name, before, change));
  }
  return { ...rest, properties: Object.fromEntries(properties), ...(required.size > 0 && { required: [...required] }) };
}

/** A limit of the tool is not for others to lift. */
function requireTighter(tool: ToolDefinition, limits: ToolOverlay["limits"] = {}): void {
  const own = tool.metadata?.limits ?? {};
  const looser = limitNames.find((limit) => limits[limit] !== undefined && isLooser(limits[limit], own[limit]));
  if (looser !== undefined) throw unfit(tool, `its own limit ${looser} is ${own[looser]}, and ${limits[looser]} would allow more`);
}

function narrowed(tool: ToolDefinition, name: string, before: unknown, parameter: ParameterOverlay): JsonObject {
  const { hidden: _hidden, value: _value, ...change } = parameter;
  const schema: JsonObject = isObject(before) ? before : {};
  if (before === false) throw unfit(tool, `"${name}" takes no value`);
  for (const keyword of [...lowest, ...highest]) {
    const [wanted, had] = [change[keyword], schema[keyword]];
    if (wanted === undefined || typeof had !== "number") continue;
    const isWider = (lowest as readonly string[]).includes(keyword) ? wanted < had : wanted > had;
    if (isWider) throw unfit(tool, `"${name}" has ${keyword} ${had}, and ${wanted} would allow more`);
  }
  if (change.enum !== undefined) {
    if (change.enum.length === 0) throw unfit(tool, `"${name}" has no value that both this overlay and what it is laid over allow`);
    const known = schema["enum"];
    for (const value of change.enum) {
      if (Array.isArray(known) && !known.some((one) => jsonEquals(one, value)))
        throw unfit(tool, `"${name}" does not have the value ${JSON.stringify(value)}`);
      requireValid(tool, name, before, value);
    }
  }
  // Beside a reference, schemas of older drafts have no rules.
  return "$ref" in schema ? { allOf: [schema], ...change } : { ...schema, ...change };
}

/** A value that the parameter takes: references are resolved in the tool's own schema. */
function requireValid(tool: ToolDefinition, name: string, schema: unknown, value: unknown): void {
  const { $defs, definitions } = tool.inputSchema as JsonObject;
  const validator = validatorFor({
    type: "object",
    properties: { [name]: schema },
    ...($defs !== undefined && { $defs }),
    ...(definitions !== undefined && { definitions }),
  } as JsonSchema);
  if (validator.check({ [name]: value })) return;
  throw unfit(
    tool,
    `the value for "${name}" is not valid: ${validator
      .explain({ [name]: value })
      .map(({ message }) => message)
      .join("; ")}`,
  );
}

/** Whether the rules beside `properties` name a parameter: `anyOf`, `if`, `dependentRequired` … */
function mentions(rest: JsonObject, name: string): boolean {
  const { $defs: _, definitions: _definitions, title: _title, description: _description, examples: _examples, ...rules } = rest;
  const walk = (value: unknown): boolean => {
    if (typeof value === "string") return value === name;
    if (typeof value !== "object" || value === null) return false;
    return Object.entries(value).some(([key, inner]) => (!Array.isArray(value) && key === name) || walk(inner));
  };
  return walk(rules);
}

function changeMetadata(
  { metadata }: ToolDefinition,
  { groups, tags, limits, annotations }: ToolOverlay,
  schema: JsonSchema,
  removed: readonly string[],
): ToolMetadata | undefined {
  const both = (own: readonly string[] = [], more: readonly string[] = []): readonly string[] => [...new Set([...own, ...more])];
  const isNarrowed = schema !== undefined && (removed.length > 0 || metadata?.examples !== undefined);
  const aliases = metadata?.aliases;
  return {
    ...metadata,
    ...(groups && { groups: both(metadata?.groups, groups) }),
    ...(tags && { tags: both(metadata?.tags, tags) }),
    ...(limits && { limits: { ...metadata?.limits, ...limits } }),
    ...(annotations && { annotations: { ...metadata?.annotations, ...annotations } }),
    ...(aliases && { aliases: Object.fromEntries(Object.entries(aliases).filter(([, target]) => !removed.includes(target))) }),
    ...(isNarrowed && metadata?.examples && { examples: fittingExamples(metadata.examples, schema, removed) }),
  };
}

function fittingExamples(examples: NonNullable<ToolMetadata["examples"]>, schema: JsonSchema, removed: readonly string[]) {
  const { check } = validatorFor(schema);
  return examples
    .map((example) => ({
      ...example,
      input: Object.fromEntries(Object.entries(example.input).filter(([name]) => !removed.includes(name))),
    }))
    .filter(({ input }) => check(input));
}

/** Names that every object has, and those of the tools that stand in for all others. */
function isReserved(name: string): boolean {
  return name in {} || name === "prototype" || metaToolNames.includes(name);
}

function propertiesOf({ inputSchema }: ToolDefinition): JsonObject {
  const properties = (inputSchema as JsonObject)["properties"];
  return isObject(properties) ? properties : {};
}

function own(object: JsonObject, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

function unfit({ name }: ToolDefinition, fact: string): ToolError {
  return new ToolError("DEFINITION_INVALID", `The overlay of tool "${name}" does not fit it: ${fact}.`);
}
