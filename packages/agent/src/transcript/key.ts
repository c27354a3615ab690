import type { SessionKind } from "../sessions.ts";

/** "notes" → "agent:helper:notes"; a whole key stays as it is. */
export function keyOf(agent: string, name: string): string {
  return name.startsWith("agent:") ? name : `agent:${agent}:${name}`;
}

const byFirstWord: Readonly<Record<string, SessionKind>> = { main: "main", subagent: "subagent", cron: "cron", hook: "hook" };

/** The kind follows from the key: "agent:helper:cron:nightly" → "cron", "agent:helper:slack:group:C1" → "group". */
export function kindOf(key: string): SessionKind {
  const [first = "", second] = key.split(":").slice(2);
  if (second === "group") return "group";
  return Object.hasOwn(byFirstWord, first) ? byFirstWord[first]! : "other";
}
