import { ToolError } from "@toolrack/core";
import { isObject } from "@toolrack/core/internal";
import type { HttpUpstream, McpSourceOptions, StdioUpstream } from "./upstream.ts";

export interface McpJson {
  readonly servers: readonly McpSourceOptions[];
  /** Entries that were passed over: those that are switched off, and those that cannot be used, each with its reason. */
  readonly skipped: readonly { readonly name: string; readonly reason: string }[];
  /** Names that the values refer to as "${secret:name}": inputs that the file would ask a person for. */
  readonly secrets: readonly string[];
}

export interface McpJsonOptions {
  /** What "${NAME}" and "${env:NAME}" stand for. @default nothing; an unknown name is an error */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/**
 * Reads the file in which desktop applications and editors keep their MCP servers: `mcpServers` (or `servers`) by name, comments and
 * trailing commas allowed. A file that cannot be read throws CONFIG_INVALID; a server that cannot be used is passed over with its reason.
 */
export function readMcpJson(text: string, options: McpJsonOptions = {}): McpJson {
  const file = parse(text);
  const entries = isObject(file) ? (file["mcpServers"] ?? file["servers"] ?? inner(file["mcp"])) : undefined;
  if (!isObject(entries)) throw wrong('it has no "mcpServers" and no "servers" with an object of servers');
  const servers: McpSourceOptions[] = [];
  const skipped: { name: string; reason: string }[] = [];
  const secrets = new Set<string>();
  const names = new Set<string>();
  for (const [key, entry] of Object.entries(entries)) {
    try {
      if (isObject(entry) && (entry["disabled"] === true || entry["enabled"] === false)) throw new Error("it is switched off in the file");
      servers.push(readServer(toServerName(key, names), entry, createFiller(options, secrets)));
    } catch (error) {
      skipped.push({ name: key, reason: (error as Error).message });
    }
  }
  return { servers, skipped, secrets: [...secrets] };
}

type Fields = Readonly<Record<string, unknown>>;
type Fill = (text: string) => string;

function readServer(name: string, entry: unknown, fill: Fill): McpSourceOptions {
  if (!isObject(entry)) throw new Error("it is not an object");
  const { type, command, url, serverUrl, httpUrl } = entry;
  const address = url ?? httpUrl ?? serverUrl;
  if (type === "sse") throw new Error('it speaks the older "sse" transport; give the address at which it speaks Streamable HTTP');
  if (command !== undefined) return readStdio(name, entry, fill);
  if (address === undefined) throw new Error('it has neither a "command" nor a "url"');
  if (typeof address !== "string" || !URL.canParse(fill(address))) throw new Error('its "url" is not an address');
  const headers = texts(entry, "headers", fill);
  return { name, url: fill(address), ...(headers && { headers }) } satisfies HttpUpstream;
}

function readStdio(name: string, entry: Fields, fill: Fill): StdioUpstream {
  const { command, args = [], cwd } = entry;
  if (typeof command !== "string" || command === "") throw new Error('its "command" must be the program to start, as a text');
  if (!Array.isArray(args) || !args.every((arg) => typeof arg === "string")) throw new Error('its "args" must be a list of texts');
  if (cwd !== undefined && typeof cwd !== "string") throw new Error('its "cwd" must be a folder, as a text');
  const env = texts(entry, "env", fill);
  const filled = args.map(fill);
  const program = fill(command);
  const asked = [program, ...filled].find((arg) => arg.includes("${secret:"));
  if (asked !== undefined)
    throw new Error(`a secret among the arguments can be seen by every user of the machine; pass it in "env": ${asked}`);
  return { name, command: program, args: filled, ...(env && { env }), ...(cwd !== undefined && { cwd: fill(cwd) }) };
}

function texts(entry: Fields, field: string, fill: Fill): Record<string, string> | undefined {
  const value = entry[field];
  if (value === undefined) return undefined;
  if (!isObject(value) || !Object.values(value).every((one) => typeof one === "string"))
    throw new Error(`its "${field}" must be an object of texts`);
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, fill(one as string)]));
}

/** "${env:HOME}", "${HOME}" and "${HOME:-/root}" are read from `env`; "${input:token}" is asked for later, as "${secret:token}". */
function createFiller({ env = {} }: McpJsonOptions, secrets: Set<string>): Fill {
  return (text) =>
    text.replaceAll(/\$\{([^}]{1,200})\}/g, (_whole, inside: string) => {
      const input = /^(?:input|secret):([A-Za-z0-9_.-]+)$/.exec(inside)?.[1];
      if (input !== undefined) {
        secrets.add(input);
        return `\${secret:${input}}`;
      }
      const [, name, standard] = /^(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-(.*))?$/.exec(inside) ?? [];
      if (name === undefined) throw new Error(`"\${${inside}}" is not known here; use a value, "\${env:NAME}" or "\${input:name}"`);
      const value = Object.hasOwn(env, name) ? env[name] : undefined;
      if (value !== undefined) return value;
      if (standard !== undefined) return standard;
      throw new Error(`the variable "${name}" is not set`);
    });
}

/** "GitHub (work)" → "GitHub-work": what begins the names of its tools. */
function toServerName(key: string, taken: Set<string>): string {
  const name = key
    .replaceAll(/[^A-Za-z0-9]+/g, (between) => (between === "_" ? "_" : "-"))
    .replaceAll(/^[-_]|[-_]$/g, "")
    .slice(0, 32)
    .replace(/[-_]$/, "");
  if (name === "") throw new Error("its name has no letter or digit");
  if (taken.has(name.toLowerCase())) throw new Error(`another server is already called "${name}"; give this one another name`);
  taken.add(name.toLowerCase());
  return name;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(withoutComments(text.replace(/^\uFEFF/, "")));
  } catch (error) {
    throw wrong(`it is not JSON: ${(error as Error).message}`);
  }
}

/** Editors allow comments and trailing commas in this file. Text inside of strings stays as it is. */
function withoutComments(text: string): string {
  const string = String.raw`"(?:[^"\\]|\\[\s\S])*(?:"|$)`;
  const comments = new RegExp(String.raw`${string}|//[^\n]*|/\*[\s\S]*?(?:\*/|$)`, "g");
  const commas = new RegExp(String.raw`${string}|,(?=\s*[}\]])`, "g");
  return text.replaceAll(comments, (part) => (part.startsWith('"') ? part : " ")).replaceAll(commas, (part) => (part === "," ? "" : part));
}

function inner(value: unknown): unknown {
  return isObject(value) ? value["servers"] : undefined;
}

function wrong(fact: string): ToolError {
  return new ToolError("CONFIG_INVALID", `The file of MCP servers cannot be used: ${fact}.`);
}
