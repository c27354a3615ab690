import type { ConfigAnswer } from "@toolrack/server";
import { CommandError } from "../errors.ts";
import { didYouMean } from "../print/did-you-mean.ts";
import { safe } from "../print/safe.ts";
import { readInput } from "./_input.ts";
import type { Command } from "./command.ts";

export const config: Command = {
  name: "config",
  summary:
    "Show or save the settings of a tool. Without a name: list the tools that have settings. See also: config status, config approve.",
  arguments: [
    { form: "[tool]", description: "name of the tool" },
    { form: "[values...]", description: "name=value pairs to merge, or JSON that replaces all settings" },
  ],
  options: [{ flags: "--remove", description: "remove all saved settings" }],
  examples: ["toolrack config", "toolrack config openrouter apiKey=secret:openrouter-api-key", "toolrack config openrouter --remove"],
  async run({ arguments: [tool], rest, options, terminal, connect }) {
    const connection = await connect();
    if (tool === undefined) {
      const answer = await connection.ask("GET /configs");
      const rows = answer.configs.map((one) => [safe(one.tool), missingText(one), safe(JSON.stringify(one.values))]);
      return terminal.answer(answer, () =>
        rows.length === 0 ? "No tool has settings." : terminal.table(["TOOL", "STATE", "SAVED"], rows),
      );
    }
    const params = { tool };
    if (options["remove"] === true) {
      await connection.ask("DELETE /configs/{tool}", { params });
      return terminal.answer({ tool, removed: true }, () => `The settings of ${tool} were removed.`);
    }
    if (rest.length > 0) {
      const given = (await readInput(rest, terminal.input)) as Readonly<Record<string, unknown>>;
      const isWhole = rest.length === 1 && /^\s*\{|^-$/.test(rest[0]!);
      const values = isWhole ? given : { ...(await connection.ask("GET /configs/{tool}", { params })).values, ...given };
      await connection.ask("PUT /configs/{tool}", { params, body: values });
    }
    const saved = await connection.ask("GET /configs/{tool}", { params }).catch((error: unknown) => Promise.reject(orCommand(error, tool)));
    terminal.answer(saved, () => {
      const rows = Object.entries(saved.values).map(([name, value]) => [safe(name), safe(JSON.stringify(value))]);
      const table = rows.length === 0 ? "No settings saved." : terminal.table(["SETTING", "VALUE"], rows);
      return saved.missing.length === 0 ? table : `${table}\n${terminal.style.warn(missingText(saved))}`;
    });
  },
};

/** `toolrack config staus` may mean a tool, or a command of this family. */
function orCommand(error: unknown, word: string): unknown {
  const near = didYouMean(word, ["status", "approve"]);
  if (near === "" || !(error instanceof CommandError) || error.reason !== "notFound") return error;
  return new CommandError("notFound", `There is no tool "${safe(word)}".${near.replace(/"(.*)"/, '"toolrack config $1"')}`, error.problem);
}

function missingText({ missing }: ConfigAnswer): string {
  return missing.length === 0 ? "ready" : `needs ${missing.map(safe).join(", ")}`;
}
