import { safe } from "../print/safe.ts";

interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly description?: string;
  readonly default?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

/** The parameters of a tool as rows: name, type, "required" or the default, meaning. */
export function parameterRows(inputSchema: object): readonly (readonly string[])[] {
  const { properties = {}, required = [] } = inputSchema as Schema;
  return Object.entries(properties).map(([name, schema]) => {
    const fallback = schema.default === undefined ? "" : `= ${JSON.stringify(schema.default)}`;
    return [safe(name), safe(typeOf(schema)), required.includes(name) ? "required" : safe(fallback), safe(schema.description ?? "")];
  });
}

/** { enum: ["asc", "desc"] } → "asc|desc"; { type: "array", items: { type: "string" } } → "string[]" */
function typeOf(schema: Schema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.slice(0, 6).map(String).join("|") + (schema.enum.length > 6 ? "|…" : "");
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return choices.map(typeOf).join("|");
  if (schema.type === "array") return `${schema.items === undefined ? "any" : typeOf(schema.items)}[]`;
  return typeof schema.type === "string" ? schema.type : (schema.type?.join("|") ?? "any");
}
