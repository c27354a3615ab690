import type { RecordDiff } from "@toolrack/server";
import { CommandError } from "../errors.ts";
import { safe } from "../print/safe.ts";
import { recordIdOf } from "./_definition.ts";
import type { Command } from "./command.ts";

export const diff: Command = {
  name: "diff",
  summary: "Compare two revisions of a stored tool or record.",
  usesTools: false,
  arguments: [
    { form: "<name>", description: "a tool, or the id of a record" },
    { form: "[from]", description: "a version (default: the one before `to`)" },
    { form: "[to]", description: "a version (default: the newest)" },
  ],
  examples: ["toolrack diff random", "toolrack diff random 3 5"],
  async run({ arguments: [name = "", from, to], terminal, connect }) {
    const connection = await connect();
    const id = recordIdOf(name);
    const newest = to ?? String(await newestVersion());
    const before = from ?? String(Number(newest) - 1);
    if (Number(before) < 1) throw new CommandError("failed", `"${name}" has only one revision, so there is nothing to compare.`);
    const answer = await connection.ask("GET /breadcrumbs/{id}/diff", { params: { id }, query: { from: before, to: newest } });
    terminal.answer(answer, () => {
      if (answer.differences.length === 0) return `Versions ${before} and ${newest} are the same.`;
      return answer.differences.map((difference) => showDifference(difference)).join("\n");
    });

    async function newestVersion(): Promise<number> {
      const { version } = await connection.ask("GET /breadcrumbs/{id}", { params: { id } });
      return version;
    }

    function showDifference({ path, before: old, after }: RecordDiff["differences"][number]): string {
      const { style } = terminal;
      return [
        style.strong(safe(path)),
        ...(old === undefined ? [] : [style.bad(`- ${safe(JSON.stringify(old))}`)]),
        ...(after === undefined ? [] : [style.good(`+ ${safe(JSON.stringify(after))}`)]),
      ].join("\n");
    }
  },
};
