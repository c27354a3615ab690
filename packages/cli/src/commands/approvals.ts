import { safe } from "../print/safe.ts";
import { showTime } from "../print/time.ts";
import type { Command, CommandInput } from "./command.ts";

const idArgument = { form: "<id>", description: "as `toolrack approvals list` shows it" } as const;
const reasonOption = { flags: "--reason <text>", description: "shown to the caller and recorded in the audit" } as const;

export const approvalsList: Command = {
  name: "approvals list",
  summary: "List the calls that are waiting for approval, on every server.",
  usesTools: false,
  options: [
    { flags: "--limit <count>", description: "maximum number, up to 200" },
    { flags: "--cursor <cursor>", description: "continue after the previous page" },
  ],
  async run({ options, terminal, connect }) {
    const connection = await connect();
    const { limit, cursor } = options;
    const query = { ...(typeof limit === "string" && { limit }), ...(typeof cursor === "string" && { cursor }) };
    const answer = await connection.ask("GET /approvals", { query });
    terminal.answer(answer, () =>
      answer.waiting.length === 0
        ? "No call is waiting for approval."
        : `${terminal.table(
            ["ID", "SINCE", "AGENT", "TOOL", "INPUT"],
            answer.waiting.map((one) => [
              one.id,
              showTime(one.askedAt),
              safe(one.caller.agent ?? ""),
              safe(one.tool),
              safe(JSON.stringify(one.input).slice(0, 200)),
            ]),
          )}${answer.cursor === undefined ? "" : `\n${answer.waitingTotal} calls are waiting. More: toolrack approvals list --cursor ${answer.cursor}`}`,
    );
  },
};

export const approvalsShow: Command = {
  name: "approvals show",
  summary: "Show a waiting call with all its arguments.",
  usesTools: false,
  arguments: [idArgument],
  async run({ arguments: [id = ""], terminal, connect }) {
    const question = await (await connect()).ask("GET /approvals/{id}", { params: { id } });
    terminal.answer(question, () => {
      const { tool, caller, message, input, digest } = question;
      return [
        `${safe(caller.agent ?? "An unknown agent")} wants to call ${safe(tool)}.`,
        safe(message),
        safe(JSON.stringify(input)),
        digest,
      ].join("\n");
    });
  },
};

export const approvalsRemembered: Command = {
  name: "approvals remembered",
  summary: "List approvals for a session or for always that are still in force.",
  usesTools: false,
  options: [
    { flags: "--limit <count>", description: "maximum number, up to 200" },
    { flags: "--cursor <cursor>", description: "continue after the previous page" },
  ],
  async run({ options: { limit, cursor }, terminal, connect }) {
    const query = { ...(typeof limit === "string" && { limit }), ...(typeof cursor === "string" && { rememberedCursor: cursor }) };
    const { remembered, rememberedCursor } = await (await connect()).ask("GET /approvals", { query });
    terminal.answer({ remembered, ...(rememberedCursor !== undefined && { rememberedCursor }) }, () =>
      remembered.length === 0
        ? "No approval is remembered: each call needs a new one."
        : `${terminal.table(
            ["ID", "AGENT", "TOOL", "SCOPE", "BY", "SINCE", "EXPIRES"],
            remembered.map(({ id, caller, tool, scope, by, decidedAt, until }) => [
              id,
              safe(caller.agent ?? ""),
              safe(tool),
              scope,
              safe(by),
              showTime(decidedAt),
              until === undefined ? "never" : showTime(until),
            ]),
          )}${rememberedCursor === undefined ? "" : `\nMore: toolrack approvals remembered --cursor ${rememberedCursor}`}`,
    );
  },
};

export const approvalsForget: Command = {
  name: "approvals forget",
  summary: "Revoke an approval for a session or for always: the next call needs approval again.",
  usesTools: false,
  arguments: [{ form: "<id>", description: "as `toolrack approvals remembered` shows it" }],
  async run({ arguments: [id = ""], terminal, connect }) {
    await (await connect()).ask("DELETE /approvals/{id}", { params: { id } });
    terminal.answer({ id, forgotten: true }, () => `The approval ${id} was revoked.`);
  },
};

export const approvalsAllow: Command = {
  name: "approvals allow",
  summary: "Approve a waiting call.",
  usesTools: false,
  arguments: [idArgument],
  options: [reasonOption, { flags: "--scope <scope>", description: "once, session or always", default: "once" }],
  run: (input) => decide(input, true),
};

export const approvalsDeny: Command = {
  name: "approvals deny",
  summary: "Deny a waiting call.",
  usesTools: false,
  arguments: [idArgument],
  options: [reasonOption],
  run: (input) => decide(input, false),
};

async function decide({ arguments: [id = ""], options, terminal, connect }: CommandInput, approved: boolean): Promise<void> {
  const connection = await connect();
  const question = await connection.ask("GET /approvals/{id}", { params: { id } });
  const { reason, scope } = options;
  const decided = await connection.ask("POST /approvals/{id}/decide", {
    params: { id },
    body: { approved, digest: question.digest, ...(typeof scope === "string" && { scope }), ...(typeof reason === "string" && { reason }) },
  });
  terminal.answer(decided, () => `${safe(question.tool)} was ${approved ? "approved" : "denied"}.`);
}
