import { readFile } from "node:fs/promises";
import path from "node:path";
import { isObject } from "@toolrack/core/internal";
import { parse, type ParseError } from "jsonc-parser";
import { CommandError, fileFault } from "../errors.ts";

/** The content of a JSON file; comments and trailing commas are allowed. */
export async function readJsonFile(file: string, folder: string): Promise<{ readonly text: string; readonly value: unknown }> {
  const text = await readFile(path.resolve(folder, file), "utf8").catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") throw new CommandError("notFound", `There is no file ${file}.`);
    throw new CommandError("usage", `${file}: ${fileFault(error)}`);
  });
  const faults: ParseError[] = [];
  const value: unknown = parse(text, faults, { allowTrailingComma: true });
  if (faults.length > 0) throw new CommandError("usage", `${file} is no JSON. Give a file of definitions, an mcp.json, or a module.`);
  return { text, value };
}

/** The servers of a client's file, by name; undefined for every other file. */
export function serversIn(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (!isObject(value)) return undefined;
  return ["mcpServers", "servers", "context_servers"].map((key) => value[key]).find(isObject);
}

/** Definitions of tools: a list of them, the answer of an MCP server, one definition alone, or a record with one. */
export function definitionsIn(value: unknown, file: string): readonly unknown[] {
  const list = listIn(value);
  if (list !== undefined) return list;
  throw new CommandError(
    "usage",
    `${file} has no definitions of tools. Give a list of them, an object with "tools", one definition with a "name", a record of one, or an mcp.json.`,
  );
}

function listIn(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value;
  if (!isObject(value)) return undefined;
  const { tools, result } = value;
  if (Array.isArray(tools)) return tools;
  if (isObject(result) && Array.isArray(result["tools"])) return result["tools"];
  return typeof value["name"] === "string" || isObject(value["function"]) || recordedIn(value) !== undefined ? [value] : undefined;
}

/** The definition that a record holds. */
export function recordedIn(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (!isObject(value) || value["schema_name"] !== "tool.definition.v1") return undefined;
  return isObject(value["context"]) ? value["context"] : undefined;
}
