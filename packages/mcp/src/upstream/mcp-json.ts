import { ToolError } from "@toolrack/core";
import { isObject } from "@toolrack/core/internal";
import type { HttpUpstream, McpSourceOptions, StdioUpstream } from "./upstream.ts";

export interface McpJson {
  readonly servers: readonly McpSourceOptions[];
  /** Entries that were passed over: those that are switched off, and those that cannot be used, each with its reason. */
  readonly skipped: readonly SkippedServer[];
  /** Names that the values refer to as "${secret:name}": inputs that the file would ask a person for. */
  readonly secrets: readonly string[];
}

export interface SkippedServer {
  readonly name: string;
  readonly reason: string;
  /** Whether it cannot be used; otherwise it is switched off, or a part of the client itself. */
  readonly isFault: boolean;
}

export interface McpJsonOptions {
  /** What "${NAME}" and "${env:NAME}" stand for. @default nothing; an unknown name is an error */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /**
   * What each placeholder becomes, instead of what `env` says: for a file of somebody else. An error that it throws is the reason why the
   * server cannot be used.
   */
  readonly resolve?: (placeholder: Placeholder) => string;
}

/** "${env:NAME}", "${NAME:-standard}", "${input:name}" or "${secret:name}" in a file. */
export interface Placeholder {
  /** Name of the server. */
  readonly server: string;
  /** "url", "command", "args", "cwd", "env.NAME", "headers.Name" */
  readonly field: string;
  readonly kind: "variable" | "input" | "secret";
  readonly name: string;
  /** What stands for a variable that is not set. */
  readonly standard?: string;
}

/**
 * Reads the file in which desktop applications and editors keep their MCP servers: `mcpServers` (or `servers`) by name, comments and
 * trailing commas allowed. A file that cannot be read throws CONFIG_INVALID; a server that cannot be used is passed over with its reason.
 */
export function readMcpJson(text: string, options: McpJsonOptions = {}): McpJson {
  return readMcpServers(parse(text), options);
}

/**
 * The same for a file that was parsed already, whatever its format: `mcpServers` of most clients, `servers` of VS Code, `context_servers` of
 * Zed, `mcp_servers` of Codex, `extensions` of goose.
 */
export function readMcpServers(file: unknown, options: McpJsonOptions = {}): McpJson {
  const entries = entriesIn(file);
  if (!isObject(entries)) throw wrong(`it has none of ${places.map((place) => `"${place}"`).join(", ")} with an object of servers`);
  const servers: McpSourceOptions[] = [];
  const skipped: SkippedServer[] = [];
  const secrets = new Set<string>();
  const names = new Set<string>();
  for (const [key, entry] of Object.entries(entries)) {
    try {
      if (isObject(entry) && (entry["disabled"] === true || entry["enabled"] === false)) throw new Passed("it is switched off in the file");
      const name = toServerName(key, names);
      servers.push(readServer(name, inOneShape(entry), createFiller(name, options, secrets)));
    } catch (error) {
      skipped.push({ name: key, reason: (error as Error).message, isFault: !(error instanceof Passed) });
    }
  }
  return { servers, skipped, secrets: [...secrets] };
}

/** No fault of the file. */
class Passed extends Error {}

type Fields = Readonly<Record<string, unknown>>;
type Fill = (text: string, field: string) => string;

const places = ["mcpServers", "servers", "context_servers", "mcp_servers", "extensions"] as const;

function entriesIn(file: unknown): unknown {
  if (!isObject(file)) return undefined;
  const place = places.find((name) => file[name] !== undefined);
  return place === undefined ? inner(file["mcp"]) : file[place];
}

/** The fields of every client under the names that most of them use. */
function inOneShape(entry: unknown): unknown {
  if (!isObject(entry)) return entry;
  const { type, cmd, envs, env_keys: keys, uri, http_headers: headers, env_http_headers: named, bearer_token_env_var: bearer } = entry;
  if (typeof type === "string" && partsOfClients.has(type)) throw new Passed(`it is a part of the client itself, of type "${type}"`);
  const program = isObject(entry["command"]) ? entry["command"] : {};
  const asked = Array.isArray(keys) ? Object.fromEntries(keys.map((key) => [String(key), `\${input:${String(key)}}`])) : undefined;
  const fromVariables = isObject(named) ? Object.entries(named).map(([name, variable]) => [name, `\${env:${String(variable)}}`]) : [];
  const authorization = typeof bearer === "string" ? { Authorization: `Bearer \${env:${bearer}}` } : {};
  const env = merged(program["env"], entry["env"], envs, asked);
  const allHeaders = merged(entry["headers"], headers, Object.fromEntries(fromVariables), authorization);
  return {
    ...entry,
    ...(cmd !== undefined && { command: cmd }),
    ...(program["path"] !== undefined && { command: program["path"], args: program["args"] ?? [] }),
    ...(uri !== undefined && { url: uri }),
    ...(env !== undefined && { env }),
    ...(allHeaders !== undefined && { headers: allHeaders }),
  };
}

/** Extensions of goose that are no MCP servers. */
const partsOfClients: ReadonlySet<string> = new Set(["builtin", "platform", "frontend", "inline_python"]);

/** One object of all; something that is none is left for `texts` to name. */
function merged(...parts: readonly unknown[]): unknown {
  const given = parts.filter((part) => part !== undefined && part !== null && !(isObject(part) && Object.keys(part).length === 0));
  const odd = given.find((part) => !isObject(part));
  if (odd !== undefined) return odd;
  return given.length === 0 ? undefined : Object.assign({}, ...given);
}

function readServer(name: string, entry: unknown, fill: Fill): McpSourceOptions {
  if (!isObject(entry)) throw new Error("it is not an object");
  const { type, command, url, serverUrl, httpUrl } = entry;
  const address = url ?? httpUrl ?? serverUrl;
  if (type === "sse") throw new Error('it speaks the older "sse" transport; give the address at which it speaks Streamable HTTP');
  if (command !== undefined) return readStdio(name, entry, fill);
  if (address === undefined) throw new Error('it has neither a "command" nor a "url"');
  if (typeof address !== "string" || !URL.canParse(fill(address, "url"))) throw new Error('its "url" is not an address');
  const headers = texts(entry, "headers", fill);
  return { name, url: fill(address, "url"), ...(headers && { headers }) } satisfies HttpUpstream;
}

function readStdio(name: string, entry: Fields, fill: Fill): StdioUpstream {
  const { command, args = [], cwd } = entry;
  if (typeof command !== "string" || command === "") throw new Error('its "command" must be the program to start, as a text');
  if (!Array.isArray(args) || !args.every((arg) => typeof arg === "string")) throw new Error('its "args" must be a list of texts');
  if (cwd !== undefined && typeof cwd !== "string") throw new Error('its "cwd" must be a folder, as a text');
  const env = texts(entry, "env", fill);
  const filled = args.map((arg) => fill(arg, "args"));
  const program = fill(command, "command");
  const asked = [program, ...filled].find((arg) => arg.includes("${secret:"));
  if (asked !== undefined)
    throw new Error(`a secret among the arguments can be seen by every user of the machine; pass it in "env": ${asked}`);
  return { name, command: program, args: filled, ...(env && { env }), ...(cwd !== undefined && { cwd: fill(cwd, "cwd") }) };
}

function texts(entry: Fields, field: string, fill: Fill): Record<string, string> | undefined {
  const value = entry[field];
  if (value === undefined) return undefined;
  if (!isObject(value) || !Object.values(value).every((one) => typeof one === "string"))
    throw new Error(`its "${field}" must be an object of texts`);
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, fill(one as string, `${field}.${name}`)]));
}

/** "${env:HOME}", "${HOME}" and "${HOME:-/root}" are read from `env`; "${input:token}" is asked for later, as "${secret:token}". */
function createFiller(server: string, { env = {}, resolve }: McpJsonOptions, secrets: Set<string>): Fill {
  return (text, field) =>
    text.replaceAll(/\$\{([^}]{1,200})\}/g, (_whole, inside: string) => {
      const [, kind, input] = /^(input|secret):([A-Za-z0-9_.-]+)$/.exec(inside) ?? [];
      if (input !== undefined) {
        if (resolve !== undefined) return resolve({ server, field, kind: kind as "input" | "secret", name: input });
        secrets.add(input);
        return `\${secret:${input}}`;
      }
      const [, name, standard] = /^(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-(.*))?$/.exec(inside) ?? [];
      if (name === undefined) throw new Error(`"\${${inside}}" is not known here; use a value, "\${env:NAME}" or "\${input:name}"`);
      if (resolve !== undefined) return resolve({ server, field, kind: "variable", name, ...(standard !== undefined && { standard }) });
      const value = (Object.hasOwn(env, name) ? env[name] : undefined) ?? standard;
      if (value === undefined) throw new Error(`the variable "${name}" is not set`);
      return value;
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
