/** What a session of an agent is for. */
export type SessionKind = "main" | "group" | "cron" | "hook" | "node" | "subagent" | "other";

/** "agent:support:subagent:7f" → "subagent"; "agent:support:telegram:group:12" → "group"; a key of another form → "other". */
export function sessionKind(key: string): SessionKind {
  const [first, , ...rest] = key.split(":");
  if (first !== "agent" || rest.length === 0) return "other";
  if (rest.length === 1) return rest[0] === "main" ? "main" : "other";
  if (rest.includes("group")) return "group";
  const kind = rest[0]!;
  return kind === "subagent" || kind === "cron" || kind === "hook" || kind === "node" ? kind : "other";
}
