import type { ApiKey } from "@toolrack/server";
import { safe } from "../print/safe.ts";
import type { Terminal } from "../print/terminal.ts";
import { showTime } from "../print/time.ts";
import { warnOfFirstKey } from "./_first-key.ts";
import { withId } from "./_ids.ts";
import { readNumber } from "./_numbers.ts";
import type { Command, CommandInput } from "./command.ts";

export const keysList: Command = {
  name: "keys list",
  summary: "List the API keys, without their secrets.",
  usesTools: false,
  examples: ["toolrack keys"],
  async run({ terminal, connect }) {
    const connection = await connect();
    const answer = await connection.ask("GET /keys");
    terminal.answer(answer, () =>
      answer.keys.length === 0
        ? "There are no keys: only the owner, on this machine, can sign in."
        : terminal.table(
            [{ id: "KEY" }, "AGENT", "ROLES", "CREATED", "EXPIRES", "FOR"],
            answer.keys.map((key) => [
              key.id,
              key.isListed === false ? `${safe(key.agent)} ${terminal.style.warn("(not listed: no access to tools)")}` : safe(key.agent),
              key.roles.map(safe).join(", "),
              showTime(key.createdAt),
              showExpiry(key, terminal),
              safe(key.description ?? ""),
            ]),
          ),
    );
  },
};

function showExpiry({ expiresAt }: Pick<ApiKey, "expiresAt">, { style }: Terminal): string {
  if (expiresAt === undefined) return "never";
  return isExpired({ expiresAt }) ? `${showTime(expiresAt)} ${style.warn("(expired)")}` : showTime(expiresAt);
}

function isExpired({ expiresAt }: Pick<ApiKey, "expiresAt">): boolean {
  return expiresAt !== undefined && expiresAt <= Date.now();
}

export const keysCreate: Command = {
  name: "keys create",
  summary: "Create an API key for an agent that the configuration lists. The key is shown only once.",
  usesTools: false,
  arguments: [
    {
      form: "<agent>",
      description: "agent that the key authenticates; must be listed under agents or policy.agents, unless the key has the role owner",
    },
  ],
  options: [
    { flags: "--roles <list>", description: "comma-separated list of emitter, subscriber, curator, admin, owner" },
    { flags: "--days <n>", description: "days until it expires, at least 0.001" },
    { flags: "--description <text>", description: "purpose of the key" },
  ],
  examples: ["toolrack keys create assistant", "toolrack keys create assistant --days 30 --roles subscriber"],
  async run({ arguments: [agent], options, terminal, connect }: CommandInput<[agent: string]>) {
    const { roles, description } = options;
    const days = readNumber(options["days"], "--days", { isWhole: false, least: 0.001, most: 36_500 });
    const connection = await connect();
    const key = await connection.ask("POST /keys", {
      body: {
        agent,
        roles: typeof roles === "string" ? roles.split(",").map((role) => role.trim()) : [],
        ...(days !== undefined && { expiresAt: Math.round(Date.now() + days * 86_400_000) }),
        ...(typeof description === "string" && { description }),
      },
    });
    // Alone on standard output, so that a script can take it: KEY=$(toolrack keys create assistant)
    terminal.answer(key, () => key.secret);
    terminal.note(terminal.style.dim(`Key ${key.id} for ${safe(agent)}. Save it now: it is not shown again.`));
    warnOfFirstKey(key, terminal);
  },
};

export const keysRevoke: Command = {
  name: "keys revoke",
  summary: "Revoke an API key. Requests with it are refused from now on.",
  usesTools: false,
  arguments: [{ form: "<id>", description: "as `toolrack keys list` shows it, or its beginning" }],
  examples: ["toolrack keys revoke 5f0c21d7"],
  async run({ arguments: [given], terminal, connect, program }: CommandInput<[given: string]>) {
    const connection = await connect();
    const { keys } = await connection.ask("GET /keys");
    const id = await withId(connection, "key", given, async (found) => {
      await connection.ask("DELETE /keys/{id}", { params: { id: found } });
      return found;
    });
    terminal.answer({ id, revoked: true }, () => `The key ${safe(id)} was revoked.`);
    const { agent } = keys.find((key) => key.id === id) ?? {};
    const isLeft = agent !== undefined && keys.some((key) => key.agent === agent && key.id !== id && !isExpired(key));
    if (isLeft)
      terminal.note(
        terminal.style.warn(
          `"${safe(agent)}" has another key, so its jobs, schedules and sessions go on. See: ${program} jobs, ${program} schedules`,
        ),
      );
  },
};
