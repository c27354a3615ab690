import { safe } from "../print/safe.ts";
import { callerOptions, callerQuery, noteUnknownCaller } from "./_caller.ts";
import { readNumber } from "./_numbers.ts";
import type { Command } from "./command.ts";

export const search: Command = {
  name: "search",
  summary: "Search for tools by what they do, best match first.",
  arguments: [{ form: "<words...>", description: "what the tool should do" }],
  options: [{ flags: "--limit <n>", description: "maximum number of tools", default: "5" }, ...callerOptions],
  examples: ["toolrack search book a table", 'toolrack search "read a file and search the web"'],
  async run({ rest, options, terminal, connect }) {
    const limit = readNumber(options["limit"], "--limit", { most: 100 });
    const connection = await connect();
    await noteUnknownCaller(connection, options, terminal);
    const answer = await connection.ask("GET /search", {
      query: { q: rest.join(" "), limit, ...callerQuery(options) },
    });
    terminal.answer(answer, () =>
      answer.hits.length === 0
        ? "No tool found. Try other words for the action and for what it acts on."
        : terminal.table(
            ["TOOL", "MATCHED", "DESCRIPTION"],
            answer.hits.map(({ tool, why, description }) => [
              safe(tool),
              [
                ...why
                  .flatMap((one) => (one.kind === "word" ? [safe(one.word === one.met ? one.word : `${one.word}→${one.met}`)] : []))
                  .slice(0, 4),
                ...why.flatMap((one) => (one.kind === "meaning" ? [`meaning ${one.similarity.toFixed(2)}`] : [])),
              ].join(", "),
              safe(description),
            ]),
          ),
    );
    return answer.hits.length === 0 ? "notFound" : "ok";
  },
};
