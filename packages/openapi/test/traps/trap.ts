import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ToolDefinition } from "@toolrack/core";
import { parse } from "yaml";
import { describeOpenApiTool } from "../../src/index.ts";

/** One trap: a document, and what has to be sent for values that are given by their place on the wire. */
export interface Trap {
  readonly trap: string;
  readonly file: string;
  readonly document: Record<string, unknown>;
  readonly options?: Record<string, unknown>;
  readonly tools?: number;
  readonly calls: readonly TrapCall[];
}

export interface TrapCall {
  readonly operation: string;
  readonly given?: Record<string, unknown>;
  /** The input itself, in place of values by their place. */
  readonly input?: Record<string, unknown>;
  readonly secrets?: Record<string, string>;
  readonly baseUrl?: string;
  readonly url?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  readonly bytes?: readonly number[];
  readonly parts?: readonly Record<string, unknown>[];
  readonly spread?: boolean;
  /** The properties of the input schema. */
  readonly properties?: readonly string[];
  readonly throws?: string;
}

export function readTraps(): readonly Trap[] {
  const folder = import.meta.dirname;
  return readdirSync(folder)
    .filter((file) => file.endsWith(".yaml"))
    .toSorted()
    .flatMap((file) => (parse(readFileSync(join(folder, file), "utf8")) as Record<string, unknown>[]).map((one) => toTrap(one, file)));
}

function toTrap({ trap, options, tools, calls, ...given }: Record<string, unknown>, file: string): Trap {
  const document = {
    info: { title: "Trap", version: "1.0.0" },
    ...(given["swagger"] === undefined && { openapi: "3.0.3", servers: [{ url: "https://api.example.com" }] }),
    ...given,
  };
  return { trap, file, document, options, tools, calls } as Trap;
}

/** The input of a tool for values by place: what a caller who knows the API would write. */
export function toInput(tool: ToolDefinition, { given = {}, input }: TrapCall): Record<string, unknown> {
  if (input !== undefined) return input;
  const { parameters, body } = describeOpenApiTool(tool);
  const made: Record<string, unknown> = {};
  const rest = structuredClone(given) as Record<string, Record<string, unknown>>;
  for (const { property, in: place, name } of parameters) {
    const values = rest[place];
    if (values === undefined || !Object.hasOwn(values, name)) continue;
    made[property] = values[name];
    if (place === "body") delete values[name];
  }
  if (given["body"] !== undefined && body !== undefined) {
    if ("property" in body) made[body.property] = given["body"];
    else Object.assign(made, rest["body"]);
  }
  return made;
}
