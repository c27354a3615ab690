import { CommandError } from "../errors.ts";
import { safe } from "../print/safe.ts";

/** The names that a server gives itself; it refuses them, too, however they are spelled. */
const reserved: ReadonlySet<string> = new Set(["owner", "local", "anonymous", "server"]);

/** Refuses an agent that no client can be. */
export function mustBeAgent(agent: string): void {
  if (!reserved.has(agent.trim().toLowerCase())) return;
  throw new CommandError(
    "refused",
    `No client can be "${safe(agent)}": a client has the rights of an agent, never those of the owner. Use an agent that policy.agents of the configuration lists.`,
  );
}
