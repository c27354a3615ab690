import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import { isObject } from "@toolrack/core/internal";
import { createScanner, parse, type ParseError, printParseErrorCode, stripComments } from "jsonc-parser";
import { CommandError, fileFault } from "../errors.ts";

/** The content of a JSON file; comments and trailing commas are allowed. */
export async function readJsonFile(file: string, folder: string): Promise<{ readonly text: string; readonly value: unknown }> {
  const text = await readText(path.resolve(folder, file)).catch((error: unknown) => {
    if (error instanceof CommandError) throw error;
    if ((error as NodeJS.ErrnoException).code === "ENOENT") throw new CommandError("notFound", `There is no file ${file}.`);
    throw new CommandError("usage", `${file}: ${fileFault(error)}`);
  });
  let value: unknown;
  try {
    value = JSON.parse(withoutTrailingCommas(stripComments(text, " ")));
  } catch {
    throw new CommandError("usage", faultOf(file, text));
  }
  if (isDeeperThan(deepest, value)) throw new CommandError("usage", `${file} is nested deeper than ${deepest} levels. No tool needs that.`);
  return { text, value };
}

const deepest = 500;

/** "tools.json:2 is no JSON: value expected." */
function faultOf(file: string, text: string): string {
  const faults: ParseError[] = [];
  try {
    parse(text, faults, { allowTrailingComma: true });
  } catch {
    // Nested too deeply for this parser, which is asked for the place alone.
  }
  const [first] = faults;
  if (first === undefined) return `${file} is no JSON.`;
  const line = text.slice(0, first.offset).split("\n").length;
  const words = printParseErrorCode(first.error).replaceAll(/(?!^)[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return `${file}:${line} is no JSON: ${words[0]!.toLowerCase()}${words.slice(1)}.`;
}

async function readText(file: string): Promise<string> {
  // A pipe or a device might never end.
  const found = await stat(file);
  if (!found.isFile() && !found.isDirectory()) throw new CommandError("usage", `${file} is no regular file.`);
  return (await readFile(file, "utf8")).replace(/^\uFEFF/, "");
}

/** Blanks take their place, so that messages name the right position. */
function withoutTrailingCommas(text: string): string {
  const scanner = createScanner(text, true);
  let comma: number | undefined;
  let [from, kept] = [0, ""];
  for (;;) {
    scanner.scan();
    const at = scanner.getTokenOffset();
    if (at >= text.length) return kept + text.slice(from);
    if (comma !== undefined && (text[at] === "}" || text[at] === "]")) {
      kept += `${text.slice(from, comma)} `;
      from = comma + 1;
    }
    comma = text[at] === "," ? at : undefined;
  }
}

function isDeeperThan(levels: number, value: unknown): boolean {
  let inner: unknown[] = [value];
  for (let depth = 0; inner.length > 0; depth++) {
    if (depth > levels) return true;
    inner = inner.flatMap((one) => (typeof one === "object" && one !== null ? Object.values(one) : []));
  }
  return false;
}

/** The servers of a client's file, by name; undefined for every other file. */
export function serversIn(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (!isObject(value)) return undefined;
  const found = ["mcpServers", "servers", "context_servers"].map((key) => value[key]).filter(isObject);
  const servers = found.flatMap((one) => Object.entries(one));
  // A file of tools may have an empty list of servers beside them.
  return found.length === 0 || (servers.length === 0 && definitionsIn(value).length > 0) ? undefined : Object.fromEntries(servers);
}

/** Definitions of tools: a list of them, the answer of an MCP server, one definition alone, or a record with one. */
export function definitionsIn(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (!isObject(value)) return [];
  const { tools, result } = value;
  const lists = [tools, isObject(result) ? result["tools"] : undefined].filter((list) => Array.isArray(list));
  if (lists.length > 0) return lists.flat();
  return typeof value["name"] === "string" || isObject(value["function"]) || recordedIn(value) !== undefined ? [value] : [];
}

/** The definition that a record holds. What has a name of its own is no record, whatever else it has. */
export function recordedIn(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (!isObject(value) || value["schema_name"] !== "tool.definition.v1" || typeof value["name"] === "string") return undefined;
  return isObject(value["context"]) ? value["context"] : undefined;
}
