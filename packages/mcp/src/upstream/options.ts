import path from "node:path";
import { ToolError } from "@toolrack/core";
import { readAllowedHosts } from "@toolrack/fetch/internal";
import { upstreamIdentity } from "./tools/fingerprint.ts";
import { assertServerName } from "./tools/names.ts";
import type { HttpUpstream, McpSourceOptions, StdioUpstream, UpstreamOptions } from "./upstream.ts";
import { longestTimerMs } from "@toolrack/core/internal";

/** Every number with its default. */
export type UpstreamNumbers = { readonly [Name in keyof typeof defaults]: number };

const defaults = {
  connectTimeoutMs: 30_000,
  listTimeoutMs: 15_000,
  callTimeoutMs: 120_000,
  graceMs: 300_000,
  refreshMs: 300_000,
  backoffMs: 500,
  maxBackoffMs: 60_000,
  maxFailures: 5,
  maxMessageBytes: 10_485_760,
  maxTools: 1_000,
};

/** Checks what can be checked before anything is started; a mistake throws CONFIG_INVALID. */
export function checkOptions(options: McpSourceOptions): UpstreamNumbers {
  assertServerName(options.name);
  try {
    checkNames(options);
    checkPaths(options);
    if ("url" in options) checkHttp(options);
    else checkStdio(options);
    if (options.identity !== undefined && options.identity !== upstreamIdentity(options))
      throw new Error("its command or address is not the approved one. Look at it, then approve it again.");
    return numbersOf(options);
  } catch (error) {
    throw new ToolError("CONFIG_INVALID", `MCP server "${options.name}": ${(error as Error).message}`);
  }
}

const common = ["name", "approved", "identity", "secret", "onRequest", "prompts", "resources", "paths", ...Object.keys(defaults)];
const stdioNames: ReadonlySet<string> = new Set([...common, "command", "args", "env", "inheritEnv", "cwd", "beforeStart"]);
const httpNames: ReadonlySet<string> = new Set([...common, "url", "headers", "auth", "allowHosts"]);

function checkNames(options: McpSourceOptions): void {
  if ("url" in options === "command" in options) throw new Error("give either a command, to start it, or a url, to reach it.");
  const known = "url" in options ? httpNames : stdioNames;
  const flag = (["prompts", "resources"] as const).find((name) => options[name] !== undefined && typeof options[name] !== "boolean");
  if (flag !== undefined) throw new Error(`${flag} must be true or false.`);
  const unknown = Object.keys(options).find((name) => !known.has(name));
  if (unknown !== undefined) throw new Error(`${JSON.stringify(unknown)} is not known here. Known are ${[...known].join(", ")}.`);
}

function checkPaths({ paths }: UpstreamOptions): void {
  if (paths === undefined) return;
  const { folder, parameters = [] } = paths;
  const areNames = Array.isArray(parameters) && parameters.every((name) => typeof name === "string" && name !== "");
  if (typeof folder !== "string" || !path.isAbsolute(folder) || !areNames)
    throw new Error("paths must have a folder, as an absolute path, and may have parameters, a list of names.");
}

function checkStdio({ command, args = [], env = {}, inheritEnv = [], beforeStart }: StdioUpstream): void {
  const isText = (value: unknown): boolean => typeof value === "string" && !value.includes("\0");
  if (!isText(command) || command === "" || !Array.isArray(args) || !args.every(isText))
    throw new Error("command and args must be texts: a program, and what it is given.");
  if (!Object.values(env).every(isText)) throw new Error("env must be an object of texts.");
  if (!Array.isArray(inheritEnv) || !inheritEnv.every(isText)) throw new Error("inheritEnv must be a list of names of variables.");
  if (beforeStart !== undefined && typeof beforeStart !== "function") throw new Error("beforeStart must be a function.");
}

function checkHttp({ url, headers = {}, allowHosts = [], auth }: HttpUpstream): void {
  checkUrl(url);
  if (auth !== undefined && auth.kind !== "provider" && auth.kind !== "client-credentials")
    throw new Error('auth.kind must be "client-credentials" or "provider".');
  if (auth?.kind === "client-credentials" && ![auth.issuer, auth.clientId, auth.clientSecret].every((text) => typeof text === "string"))
    throw new Error("auth must name the issuer, the clientId and the clientSecret.");
  readAllowedHosts(allowHosts);
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(name) || typeof value !== "string" || /[\r\n\0]/.test(value))
      throw new Error(`the header ${JSON.stringify(name)} has a name or value that cannot be sent.`);
    if (/^(?:mcp-.*|host|connection|content-.*|transfer-encoding|accept|last-event-id)$/i.test(name))
      throw new Error(`the header "${name}" is set by the protocol.`);
  }
}

function checkUrl(text: unknown): void {
  if (typeof text !== "string" || !URL.canParse(text)) throw new Error("url must be an address such as https://example.com/mcp.");
  const { protocol, username, password } = new URL(text);
  if (protocol !== "http:" && protocol !== "https:") throw new Error(`url must begin with http or https, not "${protocol}".`);
  if (username !== "" || password !== "") throw new Error("url must not contain a user name or password. Send a header instead.");
}

function numbersOf(options: UpstreamOptions): UpstreamNumbers {
  const entries = Object.entries(defaults).map(([name, standard]): [string, number] => {
    const value = options[name as keyof typeof defaults] ?? standard;
    if (!(typeof value === "number" && value > 0)) throw new Error(`${name} must be a number above 0.`);
    return [name, Math.min(value, longestTimerMs)];
  });
  return Object.fromEntries(entries) as UpstreamNumbers;
}
