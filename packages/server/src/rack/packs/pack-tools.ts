import type { PackName, PacksConfig } from "../../config/config.ts";

/** The pack that has a tool of this name and is off; undefined for other names. */
export function offPackOf(tool: string, packs: PacksConfig = {}): PackName | undefined {
  const pack = packOf.get(tool);
  const isOn = pack === undefined || (packs[pack] ?? pack === "utility") !== false;
  return isOn ? undefined : pack;
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

const packOf: ReadonlyMap<string, PackName> = new Map(
  Object.entries(packTools).flatMap(([pack, tools]) => tools.map((tool) => [tool, pack as PackName] as const)),
);
