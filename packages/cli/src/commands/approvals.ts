import { path } from "../connection/connection.ts";
import { CommandError } from "../errors.ts";
import { safe } from "../print/safe.ts";
import { showTime } from "../print/time.ts";
import type { Command, CommandInput } from "./command.ts";

interface Waiting {
  readonly id: string;
  readonly tool: string;
  readonly message: string;
  readonly input: unknown;
  readonly digest: string;
  readonly caller: { readonly agent?: string };
  readonly askedAt: number;
}

const idArgument = { form: "<id>", description: "as `toolrack approvals list` shows it" } as const;
const reasonOption = { flags: "--reason <text>", description: "told to the caller, and kept in the audit" } as const;

export const approvalsList: Command = {
  name: "approvals list",
  summary: "List the calls that wait for a person, on every server.",
  usesTools: false,
  async run({ terminal, connect }) {
    const connection = await connect();
    const answer = (await connection.ask("GET", "/approvals")) as { readonly waiting: readonly Waiting[] };
    terminal.answer(answer, () =>
      answer.waiting.length === 0
        ? "Nothing waits."
        : terminal.table(
            ["ID", "SINCE", "AGENT", "TOOL", "INPUT"],
            answer.waiting.map((one) => [
              one.id,
              showTime(one.askedAt),
              safe(one.caller.agent ?? ""),
              safe(one.tool),
              safe(JSON.stringify(one.input)),
            ]),
          ),
    );
  },
};

export const approvalsAllow: Command = {
  name: "approvals allow",
  summary: "Let a waiting call go ahead.",
  usesTools: false,
  arguments: [idArgument],
  options: [reasonOption, { flags: "--scope <scope>", description: "once, session or always", default: "once" }],
  run: (input) => decide(input, true),
};

export const approvalsDeny: Command = {
  name: "approvals deny",
  summary: "Refuse a waiting call.",
  usesTools: false,
  arguments: [idArgument],
  options: [reasonOption],
  run: (input) => decide(input, false),
};

async function decide({ arguments: [id = ""], options, terminal, connect }: CommandInput, approved: boolean): Promise<void> {
  const connection = await connect();
  const { waiting } = (await connection.ask("GET", "/approvals")) as { readonly waiting: readonly Waiting[] };
  const question = waiting.find((one) => one.id === id);
  if (question === undefined)
    throw new CommandError("notFound", `Nothing waits under "${id}": it was answered, it expired, or its call is gone.`);
  const { reason, scope } = options;
  const decided = await connection.ask("POST", path`/approvals/${id}/decide`, {
    body: { approved, digest: question.digest, ...(typeof scope === "string" && { scope }), ...(typeof reason === "string" && { reason }) },
  });
  terminal.answer(decided, () => `${safe(question.tool)} ${approved ? "goes ahead" : "is refused"}.`);
}
