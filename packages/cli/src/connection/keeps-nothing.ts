import type { ApiOperation } from "@toolrack/server";
import { CommandError } from "../errors.ts";
import type { Connection } from "./connection.ts";

/** A store in memory that ends with this command: what can be asked of it is answered, and what only a later command or a server could use is refused. */
export function keepsNothing(connection: Connection, configFile: string): Connection {
  return {
    ...connection,
    async ask(operation, ...options) {
      if (!operation.startsWith("GET ") && !endsHere.has(operation)) throw wouldBeLost(configFile);
      return connection.ask(operation, ...options);
    },
  };
}

/** What is done when the command is, and what is asked on the way. */
const endsHere: ReadonlySet<string> = new Set<ApiOperation>([
  "POST /agents/{id}/runs",
  "POST /approvals/{id}/decide",
  "POST /lifecycle/{id}/validate",
  "POST /openapi/plan",
  "POST /policy/simulate",
  "POST /sessions/{id}/cancel",
  "POST /sessions/{id}/messages",
  "POST /sessions/{id}/resume",
  "POST /sources/{id}/refresh",
  "POST /tools/{name}/call",
]);

function wouldBeLost(configFile: string): CommandError {
  return new CommandError(
    "usage",
    `Nothing was changed: the store is in memory (store.memory in ${configFile}) and no server runs with that file, so the change would be lost when this command ends. Start the server first (toolrack serve) and run this again, or keep the store in a file: store: { sqlite: .toolrack/toolrack.db }`,
  );
}
