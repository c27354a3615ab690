import { shellWord } from "@toolrack/core/internal/shell-word";
import type { ConfigState, PendingConfig } from "@toolrack/server";
import { CommandError } from "../errors.ts";
import { safe } from "../print/safe.ts";
import type { Terminal } from "../print/terminal.ts";
import type { Command } from "./command.ts";

const noState: ConfigState = { restart: [] };
const noServer = "No server for this folder is running on this machine, so no configuration change is waiting for approval.";

export const configStatus: Command = {
  name: "config status",
  summary: "Show problems of the configuration file, changes that wait for approval, and changes that need a restart.",
  usesTools: false,
  async run({ terminal, connect }) {
    const connection = await connect();
    // The server reads the file again when it is asked what waits, so that is asked first.
    const { pending, restart } = connection.isServer ? await connection.ask("GET /config/pending") : noState;
    const { problems } = await connection.ask("GET /settings");
    if (!connection.isServer) {
      terminal.answer({ server: null, problems, restart: [] }, () =>
        [...problems.map((problem) => terminal.style.bad(safe(problem))), noServer, "A server reads the file when it starts."].join("\n"),
      );
      return problems.length === 0 ? "ok" : "failed";
    }
    terminal.answer({ server: connection.where, problems, ...(pending !== undefined && { pending }), restart }, () => {
      const faults = problems.filter((problem) => pending === undefined || !problem.startsWith(pending.message));
      const lines = faults.map((problem) => terminal.style.bad(safe(problem)));
      if (pending !== undefined) lines.push(terminal.style.warn(safe(pending.message)), ...tableOf(pending, terminal));
      else if (faults.length === 0)
        lines.push(
          restart.length === 0
            ? "The configuration file is in force. No change is waiting for approval."
            : "No change is waiting for approval.",
        );
      if (restart.length > 0) lines.push(terminal.style.warn(restartLine(restart)));
      if (pending !== undefined)
        lines.push(
          "",
          `Approve exactly this file with: toolrack --url ${shellWord(connection.where)} config approve ${shellWord(pending.digest)}`,
        );
      return lines.join("\n");
    });
    return problems.length === 0 ? "ok" : "failed";
  },
};

export const configApprove: Command = {
  name: "config approve",
  summary: "Approve the configuration changes that are waiting on the running server.",
  usesTools: false,
  arguments: [{ form: "[digest]", description: "full digest of the file you reviewed; refused if the file has changed since" }],
  examples: ["toolrack config status"],
  async run({ arguments: [wanted], terminal, connect }) {
    const connection = await connect();
    if (!connection.isServer) throw new CommandError("refused", `${noServer} Name another server with --url.`);
    const { pending } = await connection.ask("GET /config/pending");
    if (pending === undefined)
      throw new CommandError("refused", "No configuration change is waiting for approval. See: toolrack config status");
    // The full digest: two files with the same prefix can be produced in a minute.
    if (wanted !== pending.digest)
      throw new CommandError(
        "refused",
        wanted === undefined
          ? "Add the digest of the file that you reviewed. It is printed by: toolrack config status"
          : `The digest of the waiting file is ${pending.digest}, not "${safe(wanted)}". Review it again with: toolrack config status`,
      );
    const answer = await connection.ask("POST /config/approve", { body: { digest: wanted } });
    terminal.answer(answer, () => [...tableOf(pending, terminal), "", ...outcomeOf(pending, answer, terminal)].join("\n"));
  },
};

/** What is in force after an approval, and what is not yet. */
function outcomeOf({ waiting }: PendingConfig, { pending, restart }: ConfigState, { style }: Terminal): readonly string[] {
  if (pending !== undefined) return [style.bad("Approved, but not in force. See why with: toolrack config status")];
  const parts = [...new Set(waiting.map(({ part }) => part))].filter((part) => !restart.includes(part));
  return [
    style.good(parts.length === 0 ? "Approved." : `Approved and in force: ${parts.map(safe).join(", ")}.`),
    ...(restart.length === 0 ? [] : [style.warn(restartLine(restart))]),
  ];
}

function restartLine(restart: readonly string[]): string {
  return `Takes effect after a restart of the server: ${restart.map(safe).join(", ")}.`;
}

function tableOf({ waiting }: PendingConfig, terminal: Terminal): readonly string[] {
  const show = (value: unknown): string => (value === undefined ? "" : safe(JSON.stringify(value)));
  if (waiting.length === 0) return [];
  const rows = waiting.map(({ key, before, after }) => [safe(key), show(before), show(after)]);
  return [terminal.table(["KEY", "IN FORCE", "IN THE FILE"], rows)];
}
