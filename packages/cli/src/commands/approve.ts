import { shellWord } from "@toolrack/core/internal/shell-word";
import type { DefinitionInfo, RecordAnswer } from "@toolrack/server";
import { CommandError } from "../errors.ts";
import { safe } from "../print/safe.ts";
import { recordIdOf } from "./_definition.ts";
import { withId } from "./_ids.ts";
import type { Command } from "./command.ts";

const reasonOption = { flags: "--reason <text>", description: "recorded with the definition and in the audit" } as const;

export const approve: Command = {
  name: "approve",
  summary:
    "Review a tool definition, stored or of a source, and approve exactly the content that was shown. Without a name: list the definitions waiting for approval.",
  arguments: [{ form: "[tool]", description: "name of the tool" }],
  options: [
    { flags: "--hash <hash>", description: "hash of the content you reviewed; refused if it has changed since" },
    reasonOption,
    { flags: "--reject", description: "reject it: the definition becomes a draft again" },
  ],
  examples: ["toolrack approve", "toolrack approve greet", 'toolrack approve greet --hash sha256:91a6… --reason "reviewed"'],
  async run({ arguments: [name], options, terminal, connect }) {
    const reason = typeof options["reason"] === "string" ? options["reason"].trim() : "";
    const hash = typeof options["hash"] === "string" ? options["hash"] : undefined;
    const isReject = options["reject"] === true;
    const isDecision = reason !== "" || hash !== undefined || isReject;
    if (name !== undefined && isDecision && reason === "")
      throw new CommandError("usage", `A reason is required, because it is recorded in the audit: add --reason "reviewed".`);
    if (name !== undefined && isDecision && !isReject && hash === undefined)
      throw new CommandError(
        "usage",
        `An approval must name the content that you reviewed. Review it with: toolrack approve ${shellWord(name)}`,
      );
    const connection = await connect();
    const definitions = async (): Promise<readonly DefinitionInfo[]> => (await connection.ask("GET /lifecycle")).definitions;
    if (name === undefined) {
      const seen = (await connection.ask("GET /approvals", { query: { limit: 200 } }).catch(() => undefined))?.definitions ?? [];
      const waiting = (await definitions()).filter(({ state }) => state === "draft" || state === "validated");
      terminal.answer({ definitions: waiting, seen }, () =>
        waiting.length + seen.length === 0
          ? "No definition is waiting for approval."
          : terminal.table(
              ["TOOL", "STATE", "VERSION", "BY", "HASH"],
              [
                ...waiting.map((one) => [safe(one.name), one.state, String(one.version), safe(one.updated_by), one.hash]),
                ...seen.map((one) => [safe(one.tool), one.reason, "", safe(one.source), one.digest]),
              ],
            ),
      );
      return;
    }
    const { seenDefinition, decideSeen } = await import("./_seen-definition.ts");
    const found = await seenDefinition(connection, name);
    if (found !== undefined) return decideSeen(found, { connection, terminal, hash, reason, isReject, isDecision });
    const named = (error: unknown): never => {
      if (!(error instanceof CommandError) || error.reason !== "notFound") throw error;
      throw new CommandError(
        "notFound",
        `There is no stored definition of the tool "${safe(name)}". List the definitions waiting for approval with: toolrack approve`,
      );
    };
    /** With the id of the definition that the name, or its beginning, stands for. */
    const about = <Answer>(ask: (params: { readonly id: string }) => Promise<Answer>): Promise<Answer> =>
      withId(connection, "record", name, (found) => ask({ id: recordIdOf(found) }).catch(named));
    if (!isDecision) {
      const { id, record } = await about(async (params) => ({
        ...params,
        record: await connection.ask("GET /breadcrumbs/{id}", { params }),
      }));
      const listed = (await definitions()).find((one) => one.id === id);
      if (listed?.version !== record.version)
        throw new CommandError(
          "failed",
          `The definition of ${name} has just changed. Review it again: toolrack approve ${shellWord(name)}`,
        );
      const stored = await connection.ask("GET /lifecycle/{id}", { params: { id } });
      const { programLines, reviewLines } = await import("./_program-lines.ts");
      const more = [...programLines(stored, terminal.style), ...reviewLines(stored, terminal.style)];
      const { calls, problem, findings } = stored;
      const answer = { ...listed, context: record.context, ...(calls && { calls }), ...(problem !== undefined && { problem }), findings };
      return terminal.answer(answer, () => showDefinition(name, listed, record, more));
    }
    const body = { reason, ...(hash !== undefined && { hash }) };
    if (isReject) {
      const record = await about((params) => connection.ask("POST /lifecycle/{id}/reject", { params, body }));
      return terminal.answer(record, () => `${name} was rejected and is a draft again.`);
    }
    const checked = await about((params) => connection.ask("POST /lifecycle/{id}/validate", { params }));
    if (!checked.ok) {
      terminal.answer(checked, () =>
        [`${name} cannot be approved yet:`, ...checked.problems.map((problem) => `  - ${safe(problem)}`)].join("\n"),
      );
      return "failed";
    }
    const record = await about((params) => connection.ask("POST /lifecycle/{id}/approve", { params, body }));
    terminal.answer(record, () => `${name} is approved and can be called.`);
  },
};

function showDefinition(
  name: string,
  { state, version, updated_by, hash }: DefinitionInfo,
  { title, context }: RecordAnswer,
  more: readonly string[],
): string {
  const content = JSON.stringify({ title, ...context }, undefined, 2).split("\n");
  return [
    `${safe(name)}: ${state}, version ${version}, by ${safe(updated_by)}`,
    ...content.map((line) => safe(line)),
    ...more,
    "",
    `Approve exactly this content with: toolrack approve ${shellWord(safe(name))} --hash ${shellWord(hash)} --reason "reviewed"`,
  ].join("\n");
}
