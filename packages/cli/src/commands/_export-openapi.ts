import type { Connection } from "../connection/connection.ts";
import { CommandError } from "../errors.ts";
import type { Terminal } from "../print/terminal.ts";
import type { CommandInput } from "./command.ts";

/** Prints the tools of an agent as an OpenAPI document, and notes on stderr what platforms would refuse. */
export async function exportOpenApi(connection: Connection, options: CommandInput["options"], terminal: Terminal): Promise<void> {
  const { agent, bundle, server, full } = options;
  if (typeof agent !== "string")
    throw new CommandError("usage", "Name the agent whose tools the document has: toolrack export openapi --agent <id>");
  const query = {
    ...(typeof bundle === "string" && { bundle }),
    ...(typeof server === "string" && { server }),
    ...(full === true && { full }),
  };
  const document = await connection.ask("GET /agents/{id}/openapi.json", { params: { id: agent }, query });
  const count = Object.keys(document.paths).length;
  const notes = [
    ...(count > maxOperations
      ? [`The document has ${count} operations; ChatGPT takes ${maxOperations} for an action. Choose fewer with --bundle.`]
      : []),
    ...(document.servers.some(({ url }) => !url.startsWith("https:"))
      ? ["Platforms call HTTPS addresses only. Set server.publicUrl, or --server."]
      : []),
  ];
  for (const note of notes) terminal.note(terminal.style.warn(note));
  terminal.answer(document, () => JSON.stringify(document, undefined, 2));
}

const maxOperations = 30;
