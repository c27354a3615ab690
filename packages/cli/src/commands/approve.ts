import type { DefinitionInfo, RecordAnswer } from "@toolrack/server";
import { CommandError } from "../errors.ts";
import { safe } from "../print/safe.ts";
import { recordIdOf } from "./_definition.ts";
import type { Command } from "./command.ts";

const reasonOption = { flags: "--reason <text>", description: "kept with the definition and in the audit" } as const;

export const approve: Command = {
  name: "approve",
  summary: "Show a stored definition that waits, and approve exactly what was shown. Without a name: list what waits.",
  arguments: [{ form: "[tool]", description: "its name" }],
  options: [
    { flags: "--hash <hash>", description: "of the content that you looked at; refused where it has changed since" },
    reasonOption,
    { flags: "--reject", description: "send it back to its author instead" },
  ],
  examples: ["toolrack approve", "toolrack approve weather", 'toolrack approve weather --hash sha256:91a6… --reason "reviewed"'],
  async run({ arguments: [name], options, terminal, connect }) {
    const reason = typeof options["reason"] === "string" ? options["reason"].trim() : "";
    const hash = typeof options["hash"] === "string" ? options["hash"] : undefined;
    const isReject = options["reject"] === true;
    const isDecision = reason !== "" || hash !== undefined || isReject;
    if (name !== undefined && isDecision && reason === "")
      throw new CommandError("usage", `Say why, since it is kept in the audit: add --reason "reviewed".`);
    if (name !== undefined && isDecision && !isReject && hash === undefined)
      throw new CommandError("usage", `An approval names the content that was looked at. Look at it with: toolrack approve ${name}`);
    const connection = await connect();
    const definitions = async (): Promise<readonly DefinitionInfo[]> => (await connection.ask("GET /lifecycle")).definitions;
    if (name === undefined) {
      const waiting = (await definitions()).filter(({ state }) => state === "draft" || state === "validated");
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
    const named = (error: unknown): never => {
      if (!(error instanceof CommandError) || error.reason !== "notFound") throw error;
      throw new CommandError("notFound", `There is no stored definition of a tool "${name}". List what waits with: toolrack approve`);
    };
    if (!isDecision) {
      const record = await connection.ask("GET /breadcrumbs/{id}", { params: { id } }).catch(named);
      const listed = (await definitions()).find((one) => one.id === id);
      if (listed?.version !== record.version)
        throw new CommandError("failed", `The definition of ${name} was changed just now. Look at it again: toolrack approve ${name}`);
      return terminal.answer({ ...listed, context: record.context }, () => showDefinition(name, listed, record));
    }
    const decision = { params: { id }, body: { reason, ...(hash !== undefined && { hash }) } };
    if (isReject) {
      const record = await connection.ask("POST /lifecycle/{id}/reject", decision).catch(named);
      return terminal.answer(record, () => `${name} went back to draft.`);
    }
    const checked = await connection.ask("POST /lifecycle/{id}/validate", { params: { id } }).catch(named);
    if (!checked.ok) {
      terminal.answer(checked, () =>
        [`${name} cannot be approved yet:`, ...checked.problems.map((problem) => `  - ${safe(problem)}`)].join("\n"),
      );
      return "failed";
    }
    const record = await connection.ask("POST /lifecycle/{id}/approve", decision).catch(named);
    terminal.answer(record, () => `${name} is approved and can be called.`);
  },
};

function showDefinition(name: string, { state, version, updated_by, hash }: DefinitionInfo, { title, context }: RecordAnswer): string {
  const content = JSON.stringify({ title, ...context }, undefined, 2).split("\n");
  return [
    `${safe(name)}: ${state}, version ${version}, by ${safe(updated_by)}`,
    ...content.map((line) => safe(line)),
    "",
    `Approve exactly this with: toolrack approve ${safe(name)} --hash ${hash} --reason "reviewed"`,
  ].join("\n");
}
