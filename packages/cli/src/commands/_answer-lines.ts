import { shellWord } from "@toolrack/core/internal/shell-word";
import type { Connection } from "../connection/connection.ts";
import { safe } from "../print/safe.ts";

/** The ways to answer a call that waits for a person: in the console, and with a command. */
export function answerLines(id: string, program: string, { where, isServer }: Pick<Connection, "where" | "isServer">): readonly string[] {
  const console = isServer && !where.startsWith("unix:") ? `${where}/live` : "toolrack serve, then its page Live";
  return [
    `  In the console:  ${safe(console)}`,
    `  With a command:  ${program} approvals approve ${shellWord(safe(id))}`,
    `  To deny it:      ${program} approvals deny ${shellWord(safe(id))} --reason "…"`,
  ];
}
