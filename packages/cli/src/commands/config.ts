import { path } from "../connection/connection.ts";
import { CommandError } from "../errors.ts";
import { safe } from "../print/safe.ts";
import type { Terminal } from "../print/terminal.ts";
import { readInput } from "./_input.ts";
import type { Command } from "./command.ts";

interface Config {
  readonly tool: string;
  readonly values: Readonly<Record<string, unknown>>;
  readonly missing: readonly string[];
}

export const config: Command = {
  name: "config",
  summary: "Read or save the settings of a tool (without a name: list the tools that have any), or look after the configuration file.",
  arguments: [
    { form: "[tool]", description: "its name" },
    { form: "[values...]", description: "name=value pairs that are merged in, or JSON that replaces all" },
  ],
  options: [{ flags: "--remove", description: "take all saved settings away" }],
  examples: ["toolrack config", "toolrack config openrouter apiKey=secret:openrouter-api-key", "toolrack config openrouter --remove"],
  async run({ arguments: [tool], rest, options, terminal, connect }) {
    const connection = await connect();
    if (tool === undefined) {
      const answer = (await connection.ask("GET", "/configs")) as { readonly configs: readonly Config[] };
      const rows = answer.configs.map((one) => [safe(one.tool), missingText(one), safe(JSON.stringify(one.values))]);
      return terminal.answer(answer, () =>
        rows.length === 0 ? "No tool takes settings." : terminal.table(["TOOL", "STATE", "SAVED"], rows),
      );
    }
    const place = path`/configs/${tool}`;
    if (options["remove"] === true) {
      await connection.ask("DELETE", place);
      return terminal.answer({ tool, removed: true }, () => `The settings of ${tool} are gone.`);
    }
    if (rest.length > 0) {
      const given = (await readInput(rest, terminal.input)) as Readonly<Record<string, unknown>>;
      const isWhole = rest.length === 1 && /^\s*\{|^-$/.test(rest[0]!);
      const values = isWhole ? given : { ...((await connection.ask("GET", place)) as Config).values, ...given };
      await connection.ask("PUT", place, { body: values });
    }
    const saved = (await connection.ask("GET", place)) as Config;
    terminal.answer(saved, () => {
      const rows = Object.entries(saved.values).map(([name, value]) => [safe(name), safe(JSON.stringify(value))]);
      const table = rows.length === 0 ? "Nothing is saved." : terminal.table(["SETTING", "VALUE"], rows);
      return saved.missing.length === 0 ? table : `${table}\n${terminal.style.warn(missingText(saved))}`;
    });
  },
};

function missingText({ missing }: Config): string {
  return missing.length === 0 ? "ready" : `needs ${missing.map(safe).join(", ")}`;
}

interface Pending {
  readonly file: string;
  readonly digest: string;
  readonly message: string;
  readonly waiting: readonly { readonly key: string; readonly before?: unknown; readonly after?: unknown }[];
  readonly restart: readonly string[];
}

export const configStatus: Command = {
  name: "config status",
  summary: "Show what is wrong with the configuration file, and which of its changes wait for approval on the running server.",
  usesTools: false,
  async run({ terminal, connect }) {
    const connection = await connect();
    const { problems } = (await connection.ask("GET", "/settings")) as { readonly problems: readonly string[] };
    const { pending } = (await connection.ask("GET", "/config/pending")) as { readonly pending?: Pending };
    terminal.answer({ problems, ...(pending !== undefined && { pending }) }, () => {
      const faults = problems.filter((problem) => pending === undefined || !problem.startsWith(pending.message));
      const lines = faults.map((problem) => terminal.style.bad(safe(problem)));
      if (pending !== undefined)
        lines.push(
          showPending(pending, terminal),
          "",
          `Approve exactly this file with: toolrack config approve ${pending.digest.slice(0, 12)}`,
        );
      return lines.length === 0 ? "The configuration file is in force; nothing waits for approval." : lines.join("\n");
    });
    return problems.length === 0 ? "ok" : "failed";
  },
};

export const configApprove: Command = {
  name: "config approve",
  summary: "Approve the changes of the configuration file that wait on the running server.",
  usesTools: false,
  arguments: [{ form: "[digest]", description: "of the file you looked at, or its beginning; refused where the file is another by now" }],
  examples: ["toolrack config status", "toolrack config approve 3f9a1c0b77de"],
  async run({ arguments: [wanted], terminal, connect }) {
    const connection = await connect();
    const { pending } = (await connection.ask("GET", "/config/pending")) as { readonly pending?: Pending };
    if (pending === undefined) throw new CommandError("refused", "No change of the configuration file waits for approval.");
    if (wanted !== undefined && (wanted.length < 8 || !pending.digest.startsWith(wanted.toLowerCase())))
      throw new CommandError(
        "refused",
        `The file that waits is ${pending.digest.slice(0, 12)}, and not "${wanted}". Look at it again with: toolrack config status`,
      );
    const answer = await connection.ask("POST", "/config/approve", { body: { digest: pending.digest } });
    terminal.answer(answer, () => `${showPending(pending, terminal)}\n\n${terminal.style.good("Approved: these changes are in force.")}`);
  },
};

function showPending({ message, waiting, restart }: Pending, terminal: Terminal): string {
  const show = (value: unknown): string => (value === undefined ? "" : safe(JSON.stringify(value)));
  return [
    terminal.style.warn(safe(message)),
    ...(waiting.length === 0
      ? []
      : [
          terminal.table(
            ["KEY", "IN FORCE", "IN THE FILE"],
            waiting.map(({ key, before, after }) => [safe(key), show(before), show(after)]),
          ),
        ]),
    ...(restart.length === 0 ? [] : [`After a restart: ${restart.map(safe).join(", ")}`]),
  ].join("\n");
}
