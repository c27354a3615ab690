import { path } from "../connection/connection.ts";
import { CommandError } from "../errors.ts";
import { safe } from "../print/safe.ts";
import { recordIdOf } from "./_definition.ts";
import type { Command } from "./command.ts";

const reasonOption = { flags: "--reason <text>", description: "kept with the definition and in the audit" } as const;

export const approve: Command = {
  name: "approve",
  summary: "Check a stored definition and approve it, so that it can be called. Without a name: list what waits.",
  arguments: [{ form: "[tool]", description: "its name" }],
  options: [
    reasonOption,
    { flags: "--hash <hash>", description: "of the content that you looked at; refused where it has changed since" },
    { flags: "--reject", description: "send it back to its author instead" },
  ],
  examples: ["toolrack approve", 'toolrack approve weather --reason "reviewed"'],
  async run({ arguments: [name], options, terminal, connect }) {
    const reason = typeof options["reason"] === "string" ? options["reason"].trim() : "";
    if (name !== undefined && reason === "")
      throw new CommandError("usage", `Say why, since it is kept in the audit: toolrack approve ${name} --reason "reviewed"`);
    const connection = await connect();
    if (name === undefined) {
      const answer = (await connection.ask("GET", "/lifecycle")) as { readonly definitions: readonly Definition[] };
      const waiting = answer.definitions.filter(({ state }) => state === "draft" || state === "validated");
      terminal.answer({ definitions: waiting }, () =>
        waiting.length === 0
          ? "Nothing waits for approval."
          : terminal.table(
              ["TOOL", "STATE", "VERSION", "BY", "HASH"],
              waiting.map((one) => [safe(one.name), one.state, String(one.version), safe(one.updated_by), one.hash]),
            ),
      );
      return;
    }
    const id = recordIdOf(name);
    const decide = (deed: "validate" | "approve" | "reject", body?: object): Promise<unknown> =>
      connection.ask("POST", path`/lifecycle/${id}/${deed}`, body === undefined ? {} : { body }).catch((error: unknown) => {
        if (!(error instanceof CommandError) || error.reason !== "notFound") throw error;
        throw new CommandError("notFound", `There is no stored definition of a tool "${name}". List what waits with: toolrack approve`);
      });
    const body = { reason, ...(typeof options["hash"] === "string" && { hash: options["hash"] }) };
    if (options["reject"] === true) {
      const record = await decide("reject", body);
      return terminal.answer(record, () => `${name} went back to draft.`);
    }
    const checked = (await decide("validate")) as {
      readonly ok: boolean;
      readonly problems?: readonly string[];
    };
    if (!checked.ok) {
      terminal.answer(checked, () =>
        [`${name} cannot be approved yet:`, ...(checked.problems ?? []).map((problem) => `  - ${safe(problem)}`)].join("\n"),
      );
      return "failed";
    }
    const record = await decide("approve", body);
    terminal.answer(record, () => `${name} is approved and can be called.`);
  },
};

interface Definition {
  readonly name: string;
  readonly state: string;
  readonly version: number;
  readonly updated_by: string;
  readonly hash: string;
}
