import { CommandError } from "../errors.ts";
import { safe } from "../print/safe.ts";
import { showTime } from "../print/time.ts";
import { recordIdOf } from "./_definition.ts";
import { withId } from "./_ids.ts";
import { readNumber } from "./_numbers.ts";
import type { Command, CommandInput } from "./command.ts";

export const history: Command = {
  name: "history",
  summary: "List the revisions of a stored tool or record, newest first.",
  usesTools: false,
  arguments: [{ form: "<name>", description: "a tool, or the id of a record or its beginning" }],
  options: [{ flags: "--limit <n>", description: "maximum number of revisions", default: "100" }],
  examples: ["toolrack history greet", "toolrack history tool-def-greet --limit 5"],
  async run({ arguments: [given], options, terminal, connect }: CommandInput<[given: string]>) {
    const limit = readNumber(options["limit"], "--limit", { most: 1_000 });
    const connection = await connect();
    const answer = await withId(connection, "record", given, async (name) => {
      const found = await connection.ask("GET /breadcrumbs/{id}/history", { params: { id: recordIdOf(name) }, query: { limit } });
      if (found.changes.length > 0) return found;
      throw new CommandError("notFound", `There is no record of "${safe(name)}". Tools defined in code have no stored history.`);
    });
    terminal.answer(answer, () =>
      terminal.table(
        ["VERSION", "WHEN", "BY", "CHANGE", "TITLE", "TAGS"],
        answer.changes.map(({ type, record }) => [
          String(record.version),
          showTime(record.updated_at),
          safe(record.updated_by),
          safe(type),
          safe(record.title),
          safe(record.tags.join(", ")),
        ]),
      ),
    );
  },
};
