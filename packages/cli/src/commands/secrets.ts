import { counted } from "../print/counted.ts";
import { text as readAll } from "node:stream/consumers";
import type { RewrapResult } from "@toolrack/server";
import { CommandError } from "../errors.ts";
import { safe } from "../print/safe.ts";
import { showTime } from "../print/time.ts";
import type { Command, CommandInput } from "./command.ts";

const nameArgument = { form: "<name>", description: "name of the secret; settings refer to it as secret:<name>" } as const;

export const secretsList: Command = {
  name: "secrets list",
  summary: "List the names of the secrets that are set, and of those that tools still need. Values are never shown.",
  async run({ terminal, connect }) {
    const connection = await connect();
    const answer = await connection.ask("GET /secrets");
    terminal.answer(answer, () => {
      const set = answer.secrets.map((one) => {
        const since = `by ${safe(one.updated_by)}, ${showTime(one.updated_at)}`;
        return one.unreadable === true
          ? [safe(one.name), terminal.style.warn("unreadable"), `set ${since}`]
          : [safe(one.name), "set", since];
      });
      const wanted = answer.wanted.map((one) => [
        safe(one.name),
        terminal.style.warn("missing"),
        `needed by ${one.tools.map(safe).join(", ")}`,
      ]);
      const rows = [...wanted, ...set];
      if (rows.length === 0) return "No secrets are set, and no tool needs one.";
      const table = terminal.table(["SECRET", "STATE", ""], rows);
      return answer.secrets.some((one) => one.unreadable === true) ? `${table}\n${terminal.style.warn(unreadableNote)}` : table;
    });
  },
};

const unreadableNote =
  "No available master key decrypts what is unreadable. Add the key of before to TOOLRACK_PREVIOUS_KEYS and restart the server. Only if that key is lost: toolrack secrets rewrap --forget-unreadable, and set them again.";

export const secretsSet: Command = {
  name: "secrets set",
  summary: "Set a secret. The value is read from standard input, so that it does not end up in the shell history.",
  arguments: [nameArgument],
  examples: ["toolrack secrets set openrouter-api-key", "toolrack secrets set openrouter-api-key < key.txt"],
  async run({ arguments: [name], terminal, connect }: CommandInput<[name: string]>) {
    const value = await readValue(name, terminal.input);
    const connection = await connect();
    await connection.ask("PUT /secrets/{name}", { params: { name }, body: { value } });
    terminal.answer({ name, set: true }, () => `The secret ${name} is set.`);
  },
};

export const secretsRemove: Command = {
  name: "secrets remove",
  summary: "Remove a secret. Tools that need it are unavailable until it is set again.",
  arguments: [nameArgument],
  async run({ arguments: [name], terminal, connect }: CommandInput<[name: string]>) {
    const connection = await connect();
    await connection.ask("DELETE /secrets/{name}", { params: { name } });
    terminal.answer({ name, removed: true }, () => `The secret ${name} was removed.`);
  },
};

export const secretsRewrap: Command = {
  name: "secrets rewrap",
  summary:
    "Finish a rotation of the master key: re-encrypt every secret and the audit key with the current one. Exits with 1 if something could not be re-encrypted.",
  usesTools: false,
  options: [
    {
      flags: "--forget-unreadable",
      description: "if the old master key is lost: remove the secrets and discard the audit keys that no available key can decrypt",
    },
  ],
  async run({ options, terminal, connect }) {
    const connection = await connect();
    const body = { forgetUnreadable: options["forgetUnreadable"] === true };
    const answer = await connection.ask("POST /master-key/rewrap", { body });
    const isDone = answer.otherServers.length === 0 && !answer.needsPreviousKeys && describe(answer.unreadable) === undefined;
    terminal.answer(answer, () => showRewrapped(answer, isDone));
    return isDone ? "ok" : "failed";
  },
};

function showRewrapped(
  { secrets, auditKeys, sharedKeys, unreadable, forgotten, otherServers, needsPreviousKeys }: RewrapResult,
  isDone: boolean,
): string {
  const keys = auditKeys + sharedKeys;
  const given = describe(forgotten);
  const left = describe(unreadable);
  return [
    `Re-encrypted with the current master key: ${counted(secrets, "secret")}, ${counted(keys, "key")} of the server.`,
    ...(given === undefined ? [] : [`Discarded, because no available key can decrypt it: ${given}.`]),
    ...(left === undefined
      ? []
      : [
          `No available key can decrypt: ${left}. Add the previous master key to TOOLRACK_PREVIOUS_KEYS, restart, and run this again. Only if that key is lost: toolrack secrets rewrap --forget-unreadable`,
        ]),
    ...(needsPreviousKeys ? ["Something was encrypted with a previous key in the meantime. Run this again."] : []),
    ...(otherServers.length === 0
      ? []
      : [
          `Servers that still have another master key: ${otherServers.map((name) => safe(name.slice(-6))).join(", ")} (see: toolrack status). Give them the current one, restart them, and run this again.`,
        ]),
    ...(isDone ? ["TOOLRACK_PREVIOUS_KEYS can be removed now."] : []),
  ].join("\n");
}

function describe({ secrets, auditKeys }: RewrapResult["unreadable"]): string | undefined {
  const parts = [
    ...(secrets.length === 0 ? [] : [`the ${secrets.length === 1 ? "secret" : "secrets"} ${secrets.map(safe).join(", ")}`]),
    ...(auditKeys.length === 0 ? [] : [counted(auditKeys.length, "audit key")]),
  ];
  return parts.length === 0 ? undefined : parts.join(" and ");
}

async function readValue(name: string, input: Parameters<Command["run"]>[0]["terminal"]["input"]): Promise<string> {
  const value = input.isTTY === true ? await askForValue(name) : (await readAll(input)).replace(/\r?\n$/, "");
  if (value === "") throw new CommandError("usage", `The secret ${name} has no value. Type it when asked, or pipe it to standard input.`);
  return value;
}

async function askForValue(name: string): Promise<string> {
  const { isCancel, password } = await import("@clack/prompts");
  const typed = await password({ message: `The value of ${name}` });
  return isCancel(typed) ? "" : typed;
}
