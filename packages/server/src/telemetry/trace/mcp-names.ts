import { protocolVersions } from "@toolrack/mcp";

/** What stands for everything that is not on a list: what a client makes up becomes no label and no name of a span. */
export const otherName = "(other)";

/** A method of the protocol, or "(other)". */
export function mcpMethodName(method: string): string {
  return knownMethods.has(method) ? method : otherName;
}

/** A version that this server speaks, or "(other)". */
export function mcpVersionName(version: string): string {
  return protocolVersions.includes(version) ? version : otherName;
}

const knownMethods: ReadonlySet<string> = new Set([
  "completion/complete",
  "initialize",
  "logging/setLevel",
  "notifications/cancelled",
  "notifications/initialized",
  "notifications/progress",
  "notifications/roots/list_changed",
  "ping",
  "prompts/get",
  "prompts/list",
  "resources/list",
  "resources/read",
  "resources/subscribe",
  "resources/templates/list",
  "resources/unsubscribe",
  "server/discover",
  "subscriptions/listen",
  "tasks/cancel",
  "tasks/get",
  "tasks/update",
  "tools/call",
  "tools/list",
]);
