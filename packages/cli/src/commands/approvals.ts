import { shellWord } from "@toolrack/core/internal/shell-word";
import type { WaitingApproval } from "@toolrack/server";
import { CommandError } from "../errors.ts";
import { safe } from "../print/safe.ts";
import { showTime } from "../print/time.ts";
import { answerLines } from "./_answer-lines.ts";
import { withId } from "./_ids.ts";
import { readNumber } from "./_numbers.ts";
import type { Command, CommandInput } from "./command.ts";

const idArgument = {
  form: "<id>",
  description: "as `toolrack approvals list` shows it, or its beginning; the id of the call works, too",
} as const;
const reasonOption = { flags: "--reason <text>", description: "shown to the caller and recorded in the audit" } as const;

const pageOptions = [
  { flags: "--limit <count>", description: "maximum number, up to 200" },
  { flags: "--cursor <cursor>", description: "continue after the previous page" },
] as const;

export const approvalsList: Command = {
  name: "approvals list",
  summary:
    "List what waits for a person, on every server: calls, new or changed definitions of tools, tools that ask for a grant, stored tools that nobody approved, schedules that agents made, and changes of settings that they propose.",
  options: pageOptions,
  examples: ["toolrack approvals", "toolrack approvals list --limit 10"],
  async run({ options, terminal, connect, nextPage }) {
    const { cursor } = options;
    const query = { limit: readNumber(options["limit"], "--limit", { most: 200 }), ...(typeof cursor === "string" && { cursor }) };
    const connection = await connect();
    const answer = await connection.ask("GET /approvals", { query });
    const { definitionFact } = await import("./_waiting-definition.ts");
    const { asksText } = await import("./_grants.ts");
    terminal.answer(answer, () => {
      if (
        answer.waiting.length +
          answer.definitions.length +
          answer.grants.length +
          answer.drafts.length +
          answer.schedules.length +
          answer.proposals.length ===
        0
      )
        return "Nothing is waiting for approval.";
      const calls = answer.waiting.map((one) => [
        one.id,
        "call",
        showTime(one.askedAt),
        safe(one.caller.agent ?? ""),
        safe(one.tool),
        safe(`${one.program === undefined ? "" : `(program, line ${one.program.line}) `}${JSON.stringify(one.input).slice(0, 200)}`),
      ]);
      const definitions = answer.definitions.map((one) => [
        one.id,
        one.what === "tool" ? "definition" : one.what,
        showTime(one.seenAt),
        safe(one.source),
        safe(one.tool),
        definitionFact(one),
      ]);
      const grants = answer.grants.map(({ id, sourceId, shownAs, asks, isChanged }) => [
        id,
        "grant",
        "",
        safe(sourceId),
        safe(shownAs),
        safe(`asks for ${asksText(asks)}${isChanged ? "; its definition changed" : ""}`),
      ]);
      const drafts = answer.drafts.map(({ id, tool, version, by, updatedAt }) => [
        safe(id),
        "draft",
        showTime(updatedAt),
        safe(by),
        safe(tool),
        `version ${version}, not served. Review it with: toolrack approve ${shellWord(safe(tool))}`,
      ]);
      const schedules = answer.schedules.map(({ id, askedAt, by, tool, when, input }) => [
        safe(id),
        "schedule",
        showTime(askedAt),
        safe(by),
        safe(tool),
        safe(`${when}, with ${JSON.stringify(input).slice(0, 200)}`),
      ]);
      const proposals = answer.proposals.map(({ id, askedAt, caller, tool, changes }) => [
        safe(id),
        "proposal",
        showTime(askedAt),
        safe(caller.agent ?? ""),
        safe(tool),
        safe(`change ${changes.map(({ key }) => key).join(", ")}`.slice(0, 200)),
      ]);
      const rows = [...calls, ...definitions, ...grants, ...drafts, ...schedules, ...proposals];
      return [
        terminal.table([{ id: "ID" }, "KIND", "SINCE", "FROM", "TOOL", "WHAT"], rows),
        ...(answer.cursor === undefined
          ? []
          : [`${answer.waitingTotal} calls are waiting. More: ${nextPage("--cursor")} ${shellWord(answer.cursor)}`]),
        ...(answer.definitionsCursor === undefined
          ? []
          : [`${answer.definitionsTotal} definitions are waiting. Those of one source: toolrack approvals source <source>`]),
        ...(answer.grantsTotal > answer.grants.length ? [`${answer.grantsTotal} tools ask for a grant. All of them: toolrack grants`] : []),
      ].join("\n");
    });
  },
};

export const approvalsShow: Command = {
  name: "approvals show",
  summary:
    "Show what waits: a call with all arguments, a definition with its changes and findings, or what a tool asks for; and how to answer.",
  arguments: [idArgument],
  examples: ["toolrack approvals show approval-Kx0v"],
  async run({ arguments: [given], terminal, connect, program }: CommandInput<[given: string]>) {
    const connection = await connect();
    const question = await withId(connection, "approval", given, (id) => connection.ask("GET /approvals/{id}", { params: { id } }));
    if ("kind" in question && question.kind === "grant") {
      const { showWaitingGrant } = await import("./_grants.ts");
      return terminal.answer(question, () => showWaitingGrant(question, terminal));
    }
    if ("kind" in question && question.kind === "schedule") {
      const { schedule, tool, when, by, runsAs, input, id } = question;
      return terminal.answer(question, () =>
        [
          `${safe(by)} wants to call ${safe(tool)} ${safe(when)}, as ${safe(runsAs.agent ?? "")} (schedule ${safe(schedule)}).`,
          `${terminal.style.dim("INPUT")}  ${terminal.json(input)}`,
          "",
          ...answerLines(id, program, connection),
        ].join("\n"),
      );
    }
    if ("kind" in question && question.kind === "proposal") {
      const { showProposal } = await import("./_proposal.ts");
      return terminal.answer(question, () =>
        [...showProposal(question, terminal), "", ...answerLines(question.id, program, connection)].join("\n"),
      );
    }
    if ("kind" in question) {
      const { showWaitingDefinition } = await import("./_waiting-definition.ts");
      return terminal.answer(question, () => showWaitingDefinition(question, terminal));
    }
    terminal.answer(question, () => {
      const { id, tool, caller, message, input, labels, schema, program: waiting } = question;
      const rows = factsOf(question);
      const width = Math.max(...rows.map(([name]) => name.length));
      return [
        `${safe(caller.agent ?? "An unknown agent")} wants to call ${safe(tool)}.`,
        safe(message),
        "",
        ...rows.map(([name, value]) => `  ${terminal.style.dim(name.padEnd(width))}  ${safe(value)}`),
        "",
        ...(waiting === undefined
          ? []
          : [
              `A program waits for the answer, at line ${waiting.line}: ${safe(waiting.text)}`,
              `To see all of it: ${program} programs show ${shellWord(safe(waiting.id))}`,
              "",
            ]),
        `${terminal.style.dim("INPUT")}  ${terminal.json(input)}`,
        ...(labels === undefined ? [] : [`${terminal.style.dim("LABELS")}  ${terminal.json(labels)}`]),
        ...(waiting?.origins === undefined ? [] : [`${terminal.style.dim("FROM")}  ${terminal.json(waiting.origins)}`]),
        ...(schema === undefined ? [] : [`${terminal.style.dim("ANSWER SCHEMA")}  ${terminal.json(schema)}`]),
        "",
        ...answerLines(id, program, connection),
      ].join("\n");
    });
  },
};

/** Whatever is known about the call, beside its arguments. */
function factsOf({ id, callId, caller, askedAt, expiresAt, digest }: WaitingApproval): readonly (readonly [string, string])[] {
  const facts = Object.entries(caller).filter(([, fact]) => typeof fact === "string" || typeof fact === "boolean");
  return [
    ["approval", id],
    ["call", callId],
    ...facts.map(([name, fact]) => [name, String(fact)] as const),
    ["asked", showTime(askedAt)],
    ["expires", showTime(expiresAt)],
    ["digest", digest],
  ];
}

export const approvalsRemembered: Command = {
  name: "approvals remembered",
  summary: "List approvals for a session or for always that are still in force.",
  usesTools: false,
  options: pageOptions,
  examples: ["toolrack approvals remembered"],
  async run({ options: { limit: most, cursor }, terminal, connect, nextPage }) {
    const limit = readNumber(most, "--limit", { most: 200 });
    const query = { limit, ...(typeof cursor === "string" && { rememberedCursor: cursor }) };
    const { remembered, rememberedCursor } = await (await connect()).ask("GET /approvals", { query });
    terminal.answer({ remembered, ...(rememberedCursor !== undefined && { rememberedCursor }) }, () =>
      remembered.length === 0
        ? "No approval is remembered: each call needs a new one."
        : `${terminal.table(
            [{ id: "ID" }, "AGENT", "TOOL", "SCOPE", "BY", "SINCE", "EXPIRES"],
            remembered.map(({ id, caller, tool, scope, by, decidedAt, until }) => [
              id,
              safe(caller.agent ?? ""),
              safe(tool),
              scope,
              safe(by),
              showTime(decidedAt),
              until === undefined ? "never" : showTime(until),
            ]),
          )}${rememberedCursor === undefined ? "" : `\nMore: ${nextPage("--cursor")} ${shellWord(rememberedCursor)}`}`,
    );
  },
};

export const approvalsForget: Command = {
  name: "approvals forget",
  summary: "Revoke an approval for a session or for always: the next call needs approval again.",
  usesTools: false,
  arguments: [{ form: "<id>", description: "as `toolrack approvals remembered` shows it, or its beginning" }],
  examples: ["toolrack approvals forget approval-Qm2e"],
  async run({ arguments: [given], terminal, connect }: CommandInput<[given: string]>) {
    const connection = await connect();
    const id = await withId(connection, "remembered approval", given, async (found) => {
      await connection.ask("DELETE /approvals/{id}", { params: { id: found } });
      return found;
    });
    terminal.answer({ id, forgotten: true }, () => `The approval ${safe(id)} was revoked.`);
  },
};

export const approvalsApprove: Command = {
  name: "approvals approve",
  aliases: ["allow"],
  summary: "Approve a waiting call, or exactly the definition that waits; or grant a tool what it asks for.",
  arguments: [idArgument],
  options: [
    reasonOption,
    { flags: "--scope <scope>", description: "for a call: once, session or always", default: "once" },
    { flags: "--digest <digest>", description: "for a definition or a grant: the digest that you looked at" },
  ],
  examples: ["toolrack approvals approve approval-Kx0v", "toolrack approvals approve approval-Qm2e --scope always"],
  run: (input: CommandInput<[given: string]>) => decide(input, true),
};

export const approvalsDeny: Command = {
  name: "approvals deny",
  summary: "Deny a waiting call, or refuse a definition that waits.",
  usesTools: false,
  arguments: [idArgument],
  options: [reasonOption],
  examples: ['toolrack approvals deny approval-Zt7b --reason "Not on a Friday"'],
  run: (input: CommandInput<[given: string]>) => decide(input, false),
};

export const approvalsSource: Command = {
  name: "approvals source",
  summary:
    "Show what waits of one source and needs no look at each definition (new tools without a finding, changes of wording); with --digest, approve it.",
  usesTools: false,
  arguments: [{ form: "<source>", description: "as `toolrack approvals list` shows it, such as mcp:github" }],
  options: [{ flags: "--digest <digest>", description: "approve exactly the list with this digest" }, reasonOption],
  examples: ["toolrack approvals source mcp:github", "toolrack approvals source mcp:github --digest 5f0c…"],
  async run({ arguments: [source], options: { digest, reason }, terminal, connect }: CommandInput<[source: string]>) {
    const connection = await connect();
    const params = { source };
    if (typeof digest === "string") {
      const body = { digest, ...(typeof reason === "string" && { reason }) };
      const approved = await connection.ask("POST /definitions/sources/{source}/approve", { params, body });
      return terminal.answer(approved, () => `Approved definitions of ${safe(source)}: ${approved.definitions.length}.`);
    }
    const { definitionFact } = await import("./_waiting-definition.ts");
    const waiting = await connection.ask("GET /definitions/sources/{source}", { params });
    terminal.answer(waiting, () =>
      waiting.definitions.length === 0
        ? `Nothing of ${safe(source)} can be approved together. List what waits with: toolrack approvals`
        : [
            terminal.table(
              ["TOOL", "WHAT", "DESCRIPTION"],
              waiting.definitions.map((one) => [
                safe(one.tool),
                definitionFact(one),
                safe(String(one.definition["description"] ?? "").slice(0, 300)),
              ]),
            ),
            `Approve exactly these with: toolrack approvals source ${shellWord(safe(source))} --digest ${shellWord(waiting.digest)}`,
          ].join("\n"),
    );
  },
};

async function decide({ arguments: [given], options, terminal, connect }: CommandInput<[given: string]>, approved: boolean): Promise<void> {
  const connection = await connect();
  const question = await withId(connection, "approval", given, (id) => connection.ask("GET /approvals/{id}", { params: { id } }));
  const { reason, scope } = options;
  if (
    approved &&
    "kind" in question &&
    question.kind !== "schedule" &&
    question.kind !== "proposal" &&
    typeof options["digest"] !== "string"
  )
    throw new CommandError(
      "usage",
      question.kind === "grant"
        ? `A grant must name the definition that you looked at. Look at it with: toolrack approvals show ${shellWord(question.id)}`
        : `An approval must name the definition that you looked at. Look at it with: toolrack approve ${shellWord(safe(question.tool))}`,
    );
  const digest = typeof options["digest"] === "string" ? options["digest"] : "print" in question ? question.print : question.digest;
  const decided = await connection.ask("POST /approvals/{id}/decide", {
    params: { id: question.id },
    body: { approved, digest, ...(typeof scope === "string" && { scope }), ...(typeof reason === "string" && { reason }) },
  });
  const isOnlyOnce = approved && scope === "session" && "caller" in question && question.caller.session === undefined;
  const only = isOnlyOnce ? ", for this call only: it belongs to no session" : "";
  terminal.answer(decided, () => `${safe(question.tool)} was ${approved ? "approved" : "denied"}${only}.`);
}
