import { text as readAll } from "node:stream/consumers";
import { path } from "../connection/connection.ts";
import { CommandError } from "../errors.ts";
import { safe } from "../print/safe.ts";
import { showTime } from "../print/time.ts";
import type { Command } from "./command.ts";

const nameArgument = { form: "<name>", description: "the name that configurations refer to as secret:<name>" } as const;

export const secretsList: Command = {
  name: "secrets list",
  summary: "List the names of the secrets that are set, and those that tools wait for. Values are never shown.",
  async run({ terminal, connect }) {
    const connection = await connect();
    const answer = (await connection.ask("GET", "/secrets")) as {
      readonly secrets: readonly {
        readonly name: string;
        readonly version: number;
        readonly updated_at: string;
        readonly updated_by: string;
      }[];
      readonly wanted: readonly { readonly name: string; readonly tools: readonly string[] }[];
    };
    terminal.answer(answer, () => {
      const set = answer.secrets.map((one) => [safe(one.name), "set", `by ${safe(one.updated_by)}, ${showTime(one.updated_at)}`]);
      const wanted = answer.wanted.map((one) => [safe(one.name), terminal.style.warn("wanted"), `by ${one.tools.map(safe).join(", ")}`]);
      const rows = [...wanted, ...set];
      return rows.length === 0 ? "No secrets are set, and no tool waits for one." : terminal.table(["SECRET", "STATE", ""], rows);
    });
  },
};

export const secretsSet: Command = {
  name: "secrets set",
  summary: "Set a secret; its value is read from standard input, so that no shell history keeps it.",
  arguments: [nameArgument],
  examples: ["toolrack secrets set openrouter-api-key", "toolrack secrets set openrouter-api-key < key.txt"],
  async run({ arguments: [name = ""], terminal, connect }) {
    const value = await readValue(name, terminal.input);
    const connection = await connect();
    await connection.ask("PUT", path`/secrets/${name}`, { body: { value } });
    terminal.answer({ name, set: true }, () => `The secret ${name} is set.`);
  },
};

export const secretsRemove: Command = {
  name: "secrets remove",
  summary: "Remove a secret; tools that need it wait until it is set again.",
  arguments: [nameArgument],
  async run({ arguments: [name = ""], terminal, connect }) {
    const connection = await connect();
    await connection.ask("DELETE", path`/secrets/${name}`);
    terminal.answer({ name, removed: true }, () => `The secret ${name} is gone.`);
  },
};

async function readValue(name: string, input: Parameters<Command["run"]>[0]["terminal"]["input"]): Promise<string> {
  const value = input.isTTY === true ? await askForValue(name) : (await readAll(input)).replace(/\r?\n$/, "");
  if (value === "") throw new CommandError("usage", `There is no value for the secret ${name}. Type it when asked, or pipe it in.`);
  return value;
}

async function askForValue(name: string): Promise<string> {
  const { isCancel, password } = await import("@clack/prompts");
  const typed = await password({ message: `The value of ${name}` });
  return isCancel(typed) ? "" : typed;
}
