import { safe } from "../print/safe.ts";
import { callerOptions, callerQuery, noteUnknownAgent } from "./_caller.ts";
import type { Command } from "./command.ts";

export const search: Command = {
  name: "search",
  summary: "Find the tools for a request in plain words, the best first.",
  arguments: [{ form: "<words...>", description: "what is to be done" }],
  options: [{ flags: "--limit <n>", description: "so many tools", default: "5" }, ...callerOptions],
  examples: ["toolrack search roll a die", 'toolrack search "read a file and search the web"'],
  async run({ rest, options, terminal, connect }) {
    const connection = await connect();
    await noteUnknownAgent(connection, options, terminal);
    const answer = await connection.ask("GET /search", {
      query: { q: rest.join(" "), limit: String(options["limit"]), ...callerQuery(options) },
    });
    terminal.answer(answer, () =>
      answer.hits.length === 0
        ? "Nothing was found. Try other words for the action and for the thing it works on."
        : terminal.table(
            ["TOOL", "BECAUSE OF", "WHAT IT DOES"],
            answer.hits.map(({ tool, why, description }) => [
              safe(tool),
              why
                .flatMap((one) => (one.kind === "word" ? [safe(one.word === one.met ? one.word : `${one.word}→${one.met}`)] : []))
                .slice(0, 4)
                .join(", "),
              safe(description),
            ]),
          ),
    );
    return answer.hits.length === 0 ? "notFound" : "ok";
  },
};
