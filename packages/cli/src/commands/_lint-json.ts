import { shellWord } from "@toolrack/core/internal/shell-word";
import { fromSnakeCase, isObject, metadataFields } from "@toolrack/core/internal";
import { type Finding, lintTools } from "@toolrack/core/lint";
import { CommandError } from "../errors.ts";
import { definitionsIn, readJsonFile, recordedIn, serversIn } from "./_json-definitions.ts";

/** Checks definitions that have no code: those of an MCP server, of a model API, or records. */
export async function lintJson(
  file: string,
  folder: string,
): Promise<{ readonly file: string; readonly tools: number; readonly findings: readonly Finding[] }> {
  const { value } = await readJsonFile(file, folder);
  if (serversIn(value) !== undefined)
    throw new CommandError(
      "usage",
      `${file} names servers, not tools. To look at what their tools say: toolrack scan ${shellWord(file)} --connect`,
    );
  const read = definitionsIn(value)
    .filter((one) => !isOfVendor(one))
    .map(readDefinition);
  if (read.length === 0)
    throw new CommandError(
      "usage",
      `${file} has no definitions of tools. Give a list of them, an object with "tools", one definition with a "name", or a record of one.`,
    );
  const findings = lintTools(read.map(({ shape }) => shape));
  return { file, tools: read.length, findings: findings.map((finding) => ({ ...finding, path: pathIn(read, finding.path) })) };
}

/** A tool that the vendor runs, such as { type: "web_search" }: it has no schema to check. */
function isOfVendor(value: unknown): boolean {
  if (!isObject(value) || typeof value["type"] !== "string" || value["type"] === "function") return false;
  return !schemaNames.some((name) => isObject(value[name]));
}

const schemaNames = ["inputSchema", "input_schema", "parameters"] as const;

interface ReadDefinition {
  /** A tool that can be checked, or what stands in its place. */
  readonly shape: unknown;
  /** Where the file has its fields: "/function". */
  readonly at: string;
  /** The name of its input schema: "parameters". */
  readonly schema: string;
  /** Whether the metadata stands beside the name. */
  readonly isFlat: boolean;
}

function readDefinition(value: unknown): ReadDefinition {
  const recorded = recordedIn(value);
  const inner = isObject(value) && typeof value["name"] !== "string" && isObject(value["function"]) ? value["function"] : undefined;
  const fields = recorded ?? inner ?? value;
  const at = recorded !== undefined ? "/context" : inner !== undefined ? "/function" : "";
  if (!isObject(fields)) return { shape: value, at, schema: "inputSchema", isFlat: false };
  const isFunction = isObject(value) && value["type"] === "function";
  const schema = schemaNames.find((name) => fields[name] !== undefined) ?? (isFunction ? "parameters" : "inputSchema");
  const { name, description, version, outputSchema = fields["output_schema"] } = fields;
  // The annotations of MCP have names of their own.
  const beside = Object.entries(fields).filter(([key]) => isMetadata(key) && (recorded !== undefined || key !== "annotations"));
  const isFlat = fields["metadata"] === undefined && beside.length > 0;
  const metadata = isFlat ? Object.fromEntries(beside) : fields["metadata"];
  const given = {
    name,
    description,
    version,
    // For OpenAI, a function without parameters takes none.
    inputSchema: fields[schema] ?? (isFunction ? { type: "object", properties: {}, additionalProperties: false } : undefined),
    outputSchema,
    metadata: isObject(metadata) ? fromSnakeCase(metadata, metadataFields) : metadata,
  };
  const shape = { ...Object.fromEntries(Object.entries(given).filter(([, one]) => one !== undefined)), handler: nothing };
  return { shape, at, schema, isFlat };
}

/** Also in the spelling of other systems: "usage_hint". */
function isMetadata(key: string): boolean {
  return Object.hasOwn(
    metadataFields,
    key.replace(/_[a-z]/g, (part) => part[1]!.toUpperCase()),
  );
}

const nothing = (): string => "";

/** "/0/inputSchema/properties/a" → "/0/function/parameters/properties/a" */
function pathIn(read: readonly ReadDefinition[], path: string): string {
  const [, index = "", rest = ""] = /^\/(\d+)(.*)$/s.exec(path) ?? [];
  const definition = read[Number(index)];
  if (index === "" || definition === undefined) return path;
  const { at, schema, isFlat } = definition;
  const own = isFlat ? rest.replace(/^\/metadata(?=\/|$)/, "") : rest;
  return `/${index}${at}${own.replace(/^\/inputSchema(?=\/|$)/, `/${schema}`)}`;
}
