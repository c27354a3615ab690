import { type Connection } from "../connection/connection.ts";
import { safe } from "../print/safe.ts";
import type { Terminal } from "../print/terminal.ts";

/** --agent, --session: as whom a command acts, in the form that the API takes. */
export function callerQuery(options: Readonly<Record<string, string | boolean | undefined>>): { readonly runAs?: string } {
  const caller = callerOf(options);
  return caller === undefined ? {} : { runAs: JSON.stringify(caller) };
}

export function callerOf(options: Readonly<Record<string, string | boolean | undefined>>): Readonly<Record<string, string>> | undefined {
  const facts = ["agent", "provider", "model", "channel", "group", "sender", "phase"].flatMap((fact) =>
    typeof options[fact] === "string" ? [[fact, options[fact]] as const] : [],
  );
  return facts.length === 0 ? undefined : Object.fromEntries(facts);
}

/** An agent or a phase that the configuration does not list sees nothing: most likely its name is a slip, and that is said. */
export async function noteUnknownCaller(
  connection: Connection,
  options: Readonly<Record<string, string | boolean | undefined>>,
  terminal: Terminal,
): Promise<void> {
  const caller = callerOf(options);
  if ((caller?.["agent"] ?? caller?.["phase"]) === undefined || terminal.isJson) return;
  const query = { caller: JSON.stringify(caller) };
  // A caller without the right to ask about others gets the answer of the command itself.
  const view = await connection.ask("GET /policy/view", { query }).catch(() => undefined);
  for (const { kind, message } of view?.warnings ?? [])
    if (kind === "unknown-agent" || kind === "unknown-phase") terminal.note(terminal.style.warn(safe(message)));
}

export const callerOptions: readonly { readonly flags: string; readonly description: string }[] = [
  { flags: "--agent <id>", description: "act as this agent" },
  { flags: "--provider <name>", description: "with this model provider" },
  { flags: "--model <name>", description: "with this model" },
  { flags: "--channel <name>", description: "from this channel" },
  { flags: "--group <id>", description: "from this group of the channel" },
  { flags: "--sender <id>", description: "on behalf of this sender" },
  { flags: "--phase <name>", description: "in this phase of a run" },
];
