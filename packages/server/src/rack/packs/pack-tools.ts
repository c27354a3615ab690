import { isObject } from "@toolrack/core/internal";
import type { PackName, PacksConfig } from "../../config/config.ts";

/** Why a tool of a built-in pack is not there, and what brings it. */
export interface LackingPack {
  readonly pack: PackName;
  /** Whether its tools work with a part of their host: a browser, channels, schedules, sessions. */
  readonly isHost: boolean;
  /** "is off" */
  readonly state: string;
  /** "tools.packs.files to true" */
  readonly setting: string;
}

/** The pack that has a tool of this name and is off, or is not set up for it; undefined for other names. */
export function lackingPackOf(tool: string, packs: PacksConfig = {}): LackingPack | undefined {
  const pack = packOf.get(tool);
  if (pack === undefined) return undefined;
  const options = packs[pack] ?? isDefault(pack);
  const needed = neededOptions.get(tool);
  const setting = needed === undefined ? `tools.packs.${pack} to true` : `tools.packs.${pack}.${needed}`;
  const isHost = hostPacks.has(pack);
  if (options === false) return { pack, isHost, state: "is off", setting };
  if (needed === undefined || (isObject(options) && isGiven(options[needed]))) return undefined;
  return { pack, isHost, state: "is on, but not set up for it", setting };
}

/** Packs that are on and bring no tool, since they are not set up: each with the setting that mends it. */
export function idlePackProblems(packs: PacksConfig = {}): readonly string[] {
  return Object.entries(packTools).flatMap(([pack, tools]) => {
    const lacking = tools.map((tool) => lackingPackOf(tool, packs));
    if ((packs[pack] ?? false) === false || lacking.includes(undefined)) return [];
    const next = `Set ${lacking[0]!.setting} in toolrack.config.yaml, and restart the server.`;
    return [`The pack "${pack}" is on, but brings no tool: it is not set up. ${next}`];
  });
}

/** An empty object and `false` are as good as nothing. */
function isGiven(option: unknown): boolean {
  return isObject(option) ? Object.keys(option).length > 0 : option === true;
}

/** The options without which a pack leaves a tool out. */
const neededOptions: ReadonlyMap<string, string> = new Map([
  ["message", "channels"],
  ["calendar", "calendars"],
  ["static_links", "links"],
  ["bash", "bash"],
]);

const hostPacks: ReadonlySet<PackName> = new Set(["media", "messages", "browser", "sessions", "automation", "canvas"]);

function isDefault(pack: PackName): boolean {
  return pack === "utility" || pack === "sessions";
}

/** The names of the tools of each built-in pack; a test compares them with the packs. None is loaded for that. */
export const packTools: Readonly<Record<PackName, readonly string[]>> = {
  files: ["read", "write", "edit", "apply_patch", "grep", "find", "ls"],
  runtime: ["exec", "process"],
  code: ["file", "code_edit", "search", "navigate", "git", "test"],
  web: ["web_search", "web_fetch"],
  memory: ["memory_search", "memory_get"],
  commerce: [
    "product_lookup",
    "payment_link",
    "discount_calculator",
    "inventory_check",
    "shipping_calculator",
    "review_lookup",
    "similar_products",
    "order_status",
  ],
  publish: ["rss_feed", "calendar", "static_links", "blog_notion"],
  media: ["image", "tts"],
  messages: ["message"],
  browser: ["browser"],
  sessions: ["sessions_list", "sessions_history", "sessions_send", "sessions_spawn", "subagents", "session_status", "agents_list"],
  automation: ["cron", "gateway", "nodes"],
  canvas: ["canvas"],
  utility: [
    "random",
    "echo",
    "timer",
    "calculator",
    "json_transform",
    "openrouter",
    "breadcrumb_create",
    "breadcrumb_search",
    "breadcrumb_update",
    "breadcrumb_approve",
    "tool_create",
    "logit",
  ],
  search: ["search_tools", "describe_tool", "call_tool"],
  programs: ["run_code"],
};

const packOf: ReadonlyMap<string, PackName> = new Map([
  ...Object.entries(packTools).flatMap(([pack, tools]) => tools.map((tool) => [tool, pack as PackName] as const)),
  ["bash", "code"], // off even where its pack is on
]);
