import type { ToolDefinition } from "@toolrack/core";

export interface SignatureOptions {
  /** Whether parameters carry their descriptions as short comments. @default false */
  readonly comments?: boolean;
  /** The longest signature; what is nested deeper is left out first. @default 600 */
  readonly maxLength?: number;
  /** What results looked like, for a tool that does not say it. */
  readonly seen?: Schema | undefined;
}

// A tool in one line: find_order({ id: string /* like O-1001 */ }): { status: "open"|"paid" }
/** The signature of a tool, as a program calls it. */
export function signatureOf(tool: Pick<ToolDefinition, "name" | "inputSchema" | "outputSchema">, options: SignatureOptions = {}): string {
  const { maxLength = 600 } = options;
  let text = "";
  for (let depth = maxDepth; depth > 0; depth--) {
    text = write(tool, depth, options.comments === true && depth > 1, options.seen);
    if (text.length <= maxLength) return text;
  }
  return text.length <= maxLength ? text : `${accessOf(tool.name)}(input: object)`;
}

const maxDepth = 5;
const maxComment = 60;
const maxMembers = 12;

type Schema = Readonly<Record<string, unknown>>;

function write(
  { name, inputSchema, outputSchema }: Parameters<typeof signatureOf>[0],
  depth: number,
  comments: boolean,
  seen?: Schema,
): string {
  const input = hasMembers(inputSchema) ? typeOf(inputSchema, { root: inputSchema, depth, comments, seen: [] }) : "{}";
  const answers = (outputSchema as Schema | undefined) ?? seen;
  const output =
    answers === undefined
      ? ""
      : `: ${outputSchema === undefined ? "/* seen */ " : ""}${typeOf(answers, { root: answers, depth, comments: false, seen: [] })}`;
  return `${accessOf(name)}(${input})${output}`;
}

/** `find_order`, or `["resolve-id"]` where the name cannot stand after a dot. */
function accessOf(name: string): string {
  return isIdentifier(name) ? name : `[${JSON.stringify(name)}]`;
}

function isIdentifier(name: string): boolean {
  return /^[A-Za-z_$][\w$]*$/.test(name);
}

interface Place {
  readonly root: Schema;
  readonly depth: number;
  readonly comments: boolean;
  /** References on the way here: a schema may contain itself. */
  readonly seen: readonly string[];
}

function typeOf(given: unknown, place: Place): string {
  if (!isSchema(given)) return "unknown";
  const reference = given["$ref"];
  if (typeof reference === "string") return referenced(reference, place);
  if ("const" in given) return literal(given["const"]);
  if (Array.isArray(given["enum"])) return unionOf(given["enum"].map(literal));
  const branches = given["anyOf"] ?? given["oneOf"];
  if (Array.isArray(branches) && branches.length > 0) return unionOf(branches.map((branch) => typeOf(branch, place)));
  if (Array.isArray(given["allOf"]) && given["allOf"].length > 0 && !hasMembers(given))
    return [...new Set(given["allOf"].map((part) => typeOf(part, place)))].join(" & ");
  const { type } = given;
  if (Array.isArray(type)) return unionOf(type.map((one) => typeOf({ ...given, type: one }, place)));
  if (type === "integer") return "number";
  if (type === "string" || type === "number" || type === "boolean" || type === "null") return type;
  if (type === "array" || given["items"] !== undefined) {
    if (place.depth === 0) return "unknown[]";
    const item = typeOf(given["items"], place);
    return /[|&]/.test(item) && !item.startsWith("{") ? `(${item})[]` : `${item}[]`;
  }
  return type === "object" || hasMembers(given) ? objectOf(given, place) : "unknown";
}

function referenced(reference: string, place: Place): string {
  if (place.seen.includes(reference) || place.seen.length > 8) return "object";
  const target = reference.startsWith("#")
    ? reference
        .slice(1)
        .split("/")
        .slice(1)
        .reduce<unknown>((at, key) => {
          const name = key.replaceAll("~1", "/").replaceAll("~0", "~");
          return isSchema(at) && Object.hasOwn(at, name) ? at[name] : undefined;
        }, place.root)
    : undefined;
  return typeOf(target, { ...place, seen: [...place.seen, reference] });
}

function objectOf(schema: Schema, place: Place): string {
  const properties = isSchema(schema["properties"]) ? Object.entries(schema["properties"]) : [];
  if (properties.length === 0) {
    const more = schema["additionalProperties"];
    return isSchema(more) && place.depth > 0 ? `{ [key: string]: ${typeOf(more, { ...place, depth: place.depth - 1 })} }` : "object";
  }
  if (place.depth === 0) return "object";
  const required = new Set(Array.isArray(schema["required"]) ? schema["required"] : []);
  // What must be given is never left out for what may be.
  const sorted = [...properties].sort(([a], [b]) => Number(required.has(b)) - Number(required.has(a)));
  const shown = sorted.slice(0, Math.max(maxMembers, required.size)).map(([name, property]) => {
    const key = isIdentifier(name) ? name : JSON.stringify(name);
    const comment = place.comments ? commentOf(property) : "";
    return `${key}${required.has(name) ? "" : "?"}: ${typeOf(property, { ...place, depth: place.depth - 1 })}${comment}`;
  });
  return `{ ${[...shown, ...(sorted.length > shown.length ? ["…"] : [])].join("; ")} }`;
}

function commentOf(schema: unknown): string {
  const description = isSchema(schema) ? schema["description"] : undefined;
  if (typeof description !== "string") return "";
  const text = description.replaceAll("*/", "").replace(/\s+/g, " ").trim();
  if (text === "") return "";
  const short = text.length <= maxComment ? text.replace(/\.$/, "") : `${text.slice(0, maxComment).trimEnd()}…`;
  return ` /* ${short} */`;
}

function literal(value: unknown): string {
  const text = JSON.stringify(value) as string | undefined;
  return text === undefined || text.length > 40 ? typeof value : text;
}

function unionOf(types: readonly string[]): string {
  const all = [...new Set(types)];
  return all.length <= 8 ? all.join("|") : `${all.slice(0, 8).join("|")}|…`;
}

function hasMembers(schema: unknown): boolean {
  return isSchema(schema) && isSchema(schema["properties"]) && Object.keys(schema["properties"]).length > 0;
}

function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
