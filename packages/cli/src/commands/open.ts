import { CommandError } from "../errors.ts";
import type { Command } from "./command.ts";

export const open: Command = {
  name: "open",
  summary: "Print a link that signs the owner in to the console of a running server.",
  usesTools: false,
  examples: ["toolrack open", 'xdg-open "$(toolrack open)"', "toolrack --url http://127.0.0.1:7333 open"],
  async run({ terminal, connect }) {
    const connection = await connect();
    if (!connection.isServer)
      throw new CommandError(
        "usage",
        "No server for this folder is running on this machine. Name one with --url or TOOLRACK_URL: toolrack --url http://127.0.0.1:7333 open",
      );
    if (connection.where.startsWith("unix:"))
      throw new CommandError(
        "usage",
        "This server listens on a Unix socket, which browsers cannot open. To use the console, listen on an address: toolrack serve --host 127.0.0.1",
      );
    const { code, expiresAt } = await connection.ask("POST /sign-in/codes");
    const url = `${connection.where}/#sign-in=${code}`;
    terminal.answer({ url, expiresAt }, () => url);
    terminal.note(terminal.style.dim("The link can be used once, within ten minutes."));
  },
};
