import type { ReactNode } from "react";
import type { JsonSchema } from "../api/types.ts";
import { Table } from "./table.tsx";

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
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
}

/** The properties of a schema, one row each; those of objects inside below them. */
export function Parameters(props: { readonly label: string; readonly schema: JsonSchema; readonly empty: string }): ReactNode {
  const { label, schema, empty } = props;
  const rows = rowsOf(schema as Schema, "", 0);
  if (rows.length === 0) return <p className="soft">{empty}</p>;
  return (
    <Table label={label} columns={["Name", "Type", "Constraints", "Description"]}>
      {rows.map(({ place, part, isRequired }) => (
        <tr key={place}>
          <th scope="row">
            <code>{place}</code>
          </th>
          <td>
            <code>{typeOf(part)}</code>
          </td>
          <td className="small">{[isRequired ? "required" : "", ...rulesOf(part)].filter((rule) => rule !== "").join(", ")}</td>
          <td>{part.description}</td>
        </tr>
      ))}
    </Table>
  );
}

interface Row {
  readonly place: string;
  readonly part: Schema;
  readonly isRequired: boolean;
}

function rowsOf(schema: Schema, prefix: string, depth: number): readonly Row[] {
  if (depth > 4) return [];
  return Object.entries(schema.properties ?? {}).flatMap(([name, part]) => {
    const place = prefix === "" ? name : `${prefix}.${name}`;
    const inside = part.type === "array" ? rowsOf(part.items ?? {}, `${place}[]`, depth + 1) : rowsOf(part, place, depth + 1);
    return [{ place, part, isRequired: schema.required?.includes(name) ?? false }, ...inside];
  });
}

/** { type: "array", items: { type: "string" } } → "string[]"; { enum: ["a", "b"] } → "a | b" */
function typeOf(schema: Schema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined)
    return (
      schema.enum
        .slice(0, 8)
        .map((value) => String(value))
        .join(" | ") + (schema.enum.length > 8 ? " | …" : "")
    );
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return choices.map(typeOf).join(" | ");
  if (schema.type === "array") return `${schema.items === undefined ? "any" : typeOf(schema.items)}[]`;
  return typeof schema.type === "string" ? schema.type : (schema.type?.join(" | ") ?? "any");
}

function rulesOf({ default: fallback, minimum, maximum, minLength, maxLength, pattern, format }: Schema): readonly string[] {
  return [
    minimum !== undefined || maximum !== undefined ? `${minimum ?? "…"} to ${maximum ?? "…"}` : "",
    minLength !== undefined || maxLength !== undefined ? `${minLength ?? 0} to ${maxLength ?? "…"} characters` : "",
    format ?? "",
    pattern === undefined ? "" : `pattern ${pattern}`,
    fallback === undefined ? "" : `default ${JSON.stringify(fallback)}`,
  ];
}
