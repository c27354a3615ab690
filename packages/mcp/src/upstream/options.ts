import { ToolError } from "@toolrack/core";
import { readAllowedHost } from "./guarded-fetch.ts";
import { upstreamIdentity } from "./fingerprint.ts";
import { assertServerName } from "./names.ts";
import type { McpSourceOptions, UpstreamOptions } from "./upstream.ts";

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
  maxTimeouts: 5,
  maxMessageBytes: 10_485_760,
  maxTools: 1_000,
};

/** Checks what can be checked before anything is started; a mistake throws CONFIG_INVALID. */
export function checkOptions(options: McpSourceOptions): UpstreamNumbers {
  assertServerName(options.name);
  const wrong = (fact: string): ToolError => new ToolError("CONFIG_INVALID", `MCP server "${options.name}": ${fact}`);
  if ("url" in options === "command" in options) throw wrong("give either a command, to start it, or a url, to reach it.");
  try {
    if ("url" in options) checkUrl(options.url);
    if ("url" in options) options.allowHosts?.forEach(readAllowedHost);
  } catch (error) {
    throw wrong((error as Error).message);
  }
  if ("command" in options) {
    const { command, args = [] } = options;
    const isText = (value: unknown): boolean => typeof value === "string" && !value.includes("\0");
    if (!isText(command) || command === "" || !args.every(isText))
      throw wrong("command and args must be texts: a program, and what it is given.");
  }
  if (options.identity !== undefined && options.identity !== upstreamIdentity(options))
    throw wrong("its command or address is not the approved one. Look at it, then approve it again.");
  return numbersOf(options, wrong);
}

function checkUrl(text: unknown): void {
  if (typeof text !== "string" || !URL.canParse(text)) throw new Error("url must be an address such as https://example.com/mcp.");
  const { protocol, username, password } = new URL(text);
  if (protocol !== "http:" && protocol !== "https:") throw new Error(`url must begin with http or https, not "${protocol}".`);
  if (username !== "" || password !== "") throw new Error("url must not contain a user name or password. Send a header instead.");
}

function numbersOf(options: UpstreamOptions, wrong: (fact: string) => ToolError): UpstreamNumbers {
  const entries = Object.entries(defaults).map(([name, standard]): [string, number] => {
    const value = options[name as keyof typeof defaults] ?? standard;
    if (!(typeof value === "number" && value > 0)) throw wrong(`${name} must be a number above 0.`);
    return [name, Math.min(value, longestTimerMs)];
  });
  return Object.fromEntries(entries) as UpstreamNumbers;
}

/** What timers can hold; a longer one would run at once. */
const longestTimerMs = 2_147_483_647;
