import { deliveries } from "@toolrack/core/internal";
import { CommandError } from "../errors.ts";
import { callTool } from "./_call-tool.ts";
import { callerOf, callerOptions } from "./_caller.ts";
import { readInput } from "./_input.ts";
import { readNumber } from "./_numbers.ts";
import type { Command, CommandInput } from "./command.ts";

export const call: Command = {
  name: "call",
  summary: "Call a tool: input validated, policy enforced, call recorded.",
  arguments: [
    { form: "<tool>", description: "name of the tool" },
    { form: "[input...]", description: "JSON, or name=value pairs; - reads JSON from standard input" },
  ],
  options: [
    ...callerOptions,
    { flags: "--session <id>", description: "conversation id; approvals for a session apply to calls with the same id" },
    { flags: "--timeout <ms>", description: "how long the tool may run, in milliseconds; waiting for approval is not counted" },
    { flags: "--deliver <to>", description: "who gets the result: model, user, both or none; default: what the tool says" },
    { flags: "--job", description: "make a job that makes the call, and print its id at once" },
    { flags: "--idempotency-key <key>", description: "repeating a call with the same key returns the first result" },
  ],
  examples: [
    "toolrack call book_table date=2030-05-17 guests=2",
    `toolrack call book_table '{"date":"2030-05-17","guests":2}' --agent assistant`,
    `echo '{"date":"2030-05-17","guests":2}' | toolrack call book_table -`,
    "toolrack call book_table date=2030-05-17 guests=2 --job",
  ],
  async run(given: CommandInput<[name: string]>) {
    const {
      arguments: [name],
      rest,
      options,
      terminal,
      connect,
    } = given;
    const timeoutMs = readNumber(options["timeout"], "--timeout", { of: "milliseconds", most: 3_600_000 });
    const deliver = readDeliver(options["deliver"]);
    const input = await readInput(rest, terminal.input);
    const connection = await connect();
    const caller = callerOf(options);
    const key = options["idempotencyKey"];
    const body = {
      input,
      ...(caller && { runAs: caller }),
      ...(timeoutMs !== undefined && { timeoutMs }),
      ...(deliver !== undefined && { deliver }),
      ...(typeof options["session"] === "string" && { session: options["session"] }),
    };
    const headers = typeof key === "string" ? { "idempotency-key": key } : undefined;
    if (options["job"] === true) {
      const { makeJob } = await import("./_jobs.ts");
      return makeJob(given, connection, { name, body, ...(headers && { headers }) });
    }
    return callTool(given, connection, { name, body, ...(headers && { headers }) });
  },
};

function readDeliver(given: unknown): string | undefined {
  if (given === undefined || deliveries.some((known) => known === given)) return given as string | undefined;
  throw new CommandError("usage", `"${String(given)}" is nobody who gets a result. Use one of ${deliveries.join(", ")} with --deliver.`);
}
