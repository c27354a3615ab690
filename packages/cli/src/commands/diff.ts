import { shellWord } from "@toolrack/core/internal/shell-word";
import type { RecordDiff } from "@toolrack/server";
import { CommandError } from "../errors.ts";
import { safe } from "../print/safe.ts";
import { recordIdOf } from "./_definition.ts";
import { withId } from "./_ids.ts";
import { readNumber } from "./_numbers.ts";
import type { Command, CommandInput } from "./command.ts";

export const diff: Command = {
  name: "diff",
  summary: "Compare two revisions of a stored tool or record.",
  usesTools: false,
  arguments: [
    { form: "<name>", description: "a tool, or the id of a record or its beginning" },
    { form: "[from]", description: "a version (default: the one before `to`)" },
    { form: "[to]", description: "a version (default: the newest)" },
  ],
  examples: ["toolrack diff greet", "toolrack diff greet 1 2"],
  async run({ arguments: [name, given, until], terminal, connect }: CommandInput<[name: string, given?: string, until?: string]>) {
    const from = readNumber(given, "The first version");
    const to = readNumber(until, "The second version");
    const connection = await connect();
    const { answer, before, newest } = await withId(connection, "record", name, async (found) => {
      const params = { id: recordIdOf(found) };
      const last = to ?? (await connection.ask("GET /breadcrumbs/{id}", { params })).version;
      const first = from ?? last - 1;
      if (first < 1) throw new CommandError("failed", `"${safe(name)}" has only one revision, so there is nothing to compare.`);
      const compared = await connection.ask("GET /breadcrumbs/{id}/diff", { params, query: { from: first, to: last } });
      return { answer: compared, before: first, newest: last };
    });
    terminal.answer(answer, () => {
      if (answer.differences.length === 0) return `Versions ${before} and ${newest} are the same.`;
      const isWaiting = answer.differences.some(({ path, after }) => path === "context.upstream.waits" && after !== undefined);
      return [
        ...answer.differences.map((difference) => showDifference(difference)),
        ...(isWaiting
          ? [`What waits is not in the record before it is approved. See what changed: toolrack approve ${shellWord(safe(name))}`]
          : []),
      ].join("\n");
    });

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
