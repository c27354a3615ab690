import { CommandError } from "../errors.ts";
import type { Command } from "./command.ts";

export const open: Command = {
  name: "open",
  summary: "Print a link that signs the owner in to the console of a running server.",
  usesTools: false,
  examples: ["toolrack --url http://127.0.0.1:7333 open"],
  async run({ terminal, connect }) {
    const connection = await connect();
    if (!connection.where.startsWith("http"))
      throw new CommandError("usage", "Name the running server, with --url or TOOLRACK_URL: toolrack --url http://127.0.0.1:7333 open");
    const { code, expiresAt } = (await connection.ask("POST", "/sign-in/codes")) as { readonly code: string; readonly expiresAt: number };
    const url = `${connection.where}/#sign-in=${code}`;
    terminal.answer({ url, expiresAt }, () => `${url}\n${terminal.style.dim("It works once, within ten minutes.")}`);
  },
};
