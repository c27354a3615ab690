import { readFileSync } from "node:fs";
import { shellWord } from "@toolrack/core/internal/shell-word";
import type { Connection } from "../connection/connection.ts";
import { CommandError } from "../errors.ts";
import { nameList } from "../print/did-you-mean.ts";
import { safe } from "../print/safe.ts";
import { paintState } from "../print/style.ts";
import type { Terminal } from "../print/terminal.ts";
import { callerOf, callerOptions } from "./_caller.ts";
import type { Command, CommandInput } from "./command.ts";

const words: Readonly<Record<string, string>> = { a: "allow", "?": "ask", "-": "deny", x: "unavailable" };

export const policyList: Command = {
  name: "policy list",
  summary: "Show the policy in force, where each rule comes from, and how many tools each agent may use.",
  options: [
    { flags: "--profile <name>", description: "show the tools of this profile instead: minimal, coding, messaging, full or your own" },
  ],
  examples: ["toolrack policy", "toolrack policy list --profile minimal"],
  async run({ options, terminal, connect }) {
    const connection = await connect();
    if (typeof options["profile"] === "string") return listProfile(connection, terminal, options["profile"]);
    const policy = await connection.ask("GET /policy");
    const matrix = await connection.ask("GET /policy/matrix");
    terminal.answer({ ...policy, matrix }, () => {
      const count = (cells: string, letter: string): string => String([...cells].filter((cell) => cell === letter).length);
      const settings = policy.settings.map((one) => [safe(one.key), safe(one.origin), safe(JSON.stringify(one.value))]);
      return [
        settings.length === 0 ? "No rules: every caller may use every tool." : terminal.table(["RULE", "FROM", "VALUE"], settings),
        ...policy.warnings.map((warning) => terminal.style.warn(safe(warning.message))),
        "",
        terminal.table(
          ["AGENT", "ALLOWED", "ASKS", "DENIED", "UNAVAILABLE"],
          matrix.rows.map(({ agent, cells }) => [
            safe(agent ?? "(unknown)"),
            ...["a", "?", "-", "x"].map((letter) => count(cells, letter)),
          ]),
        ),
      ].join("\n");
    });
  },
};

async function listProfile(connection: Connection, terminal: Terminal, name: string): Promise<void> {
  const answer = await connection.ask("GET /policy/profiles/{name}", { params: { name } });
  terminal.answer(answer, () =>
    answer.tools.length === 0
      ? `The profile ${safe(answer.profile)} has no tools.`
      : terminal.table(
          ["TOOL", "STATE"],
          answer.tools.map(({ name: tool, state = "not here" }) => [safe(tool), paintState(terminal.style, state)]),
        ),
  );
}

export const policyExplain: Command = {
  name: "policy explain",
  summary: "Explain why an agent may or may not use a tool: the step, rule, entry and line that decided, and how to change it.",
  arguments: [{ form: "<tool>", description: "name of the tool" }],
  options: callerOptions,
  examples: ["toolrack policy explain book_table --agent assistant"],
  async run({ arguments: [tool], options, terminal, connect }: CommandInput<[tool: string]>) {
    const connection = await connect();
    const caller = callerOf(options);
    const answer = await connection.ask("GET /policy/explain", {
      query: { tool, caller: caller === undefined ? undefined : JSON.stringify(caller) },
    });
    terminal.answer(answer, () => {
      const verdict = answer.allowed ? (answer.decision?.ask === undefined ? "allowed" : "asks") : "denied";
      // A step that keeps a tool without a word about it explains nothing.
      const steps = answer.trace
        .filter(({ outcome, entry }) => outcome !== "keeps" || entry !== undefined)
        .map((line) => [safe(line.outcome), safe(line.label), safe(line.entry ?? ""), safe(line.source ?? "")]);
      return [
        `${safe(tool)}  ${paintState(terminal.style, verdict)}${caller === undefined ? terminal.style.dim("  for you: no agent was named") : ""}`,
        ...answer.sentences.map(safe),
        ...(steps.length === 0 ? [] : ["", terminal.table(["", "STEP", "ENTRY", "FROM"], steps)]),
      ].join("\n");
    });
    if (caller === undefined && answer.known) await noteAgents(connection, terminal, tool);
    if (!answer.known) return "notFound";
    return answer.allowed ? "ok" : "refused";
  },
};

/** An explanation for nobody in particular is seldom the one that was looked for. */
async function noteAgents(connection: Connection, terminal: Terminal, tool: string): Promise<void> {
  if (terminal.isJson) return;
  const { agents } = await connection.ask("GET /agents").catch(() => ({ agents: [] }));
  const [first] = agents;
  if (first !== undefined)
    terminal.note(
      `For an agent (${nameList(agents.map(({ id }) => id))}): toolrack policy explain ${shellWord(safe(tool))} --agent ${shellWord(safe(first.id))}`,
    );
}

export const policySimulate: Command = {
  name: "policy simulate",
  summary: "Show which agents would gain or lose which tools, without changing anything.",
  arguments: [{ form: "<changes>", description: "JSON or @file: setting key → new value; null removes the setting" }],
  examples: [`toolrack policy simulate '{"policy.agents.assistant":{"tools":{"deny":["exec"]}}}'`],
  async run({ arguments: [given], terminal, connect }: CommandInput<[given: string]>) {
    const changes = readChanges(given);
    const connection = await connect();
    const answer = await connection.ask("POST /policy/simulate", { body: { changes } });
    terminal.answer(answer, () => {
      if (answer.differences.length === 0) return "No agent would gain or lose a tool.";
      const names = (tools: readonly { readonly name: string }[]): string => tools.map(({ name }) => safe(name)).join(", ");
      return terminal.table(
        ["AGENT", "GAINS", "LOSES", "APPROVAL CHANGES"],
        answer.differences.map(({ caller, gained, lost, askChanged }) => [
          safe(caller.agent ?? "(unknown)"),
          terminal.style.good(names(gained)),
          terminal.style.bad(names(lost)),
          terminal.style.warn(names(askChanged)),
        ]),
      );
    });
  },
};

function readChanges(given: string): unknown {
  try {
    return JSON.parse(given.startsWith("@") ? readFileSync(given.slice(1), "utf8") : given) as unknown;
  } catch (error) {
    throw new CommandError("usage", `The changes are not valid JSON: ${(error as Error).message}.`);
  }
}

export const policyMatrix: Command = {
  name: "policy matrix",
  summary: "Show which agent may use which tool.",
  options: [{ flags: "--all", description: "include known tools without a host" }],
  examples: ["toolrack policy matrix"],
  async run({ options, terminal, connect }) {
    const connection = await connect();
    const matrix = await connection.ask("GET /policy/matrix", { query: { all: options["all"] === true ? true : undefined } });
    terminal.answer(matrix, () =>
      [
        terminal.table(
          ["TOOL", ...matrix.rows.map(({ agent }) => safe(agent ?? "(unknown)"))],
          matrix.tools.map((tool, column) => [
            safe(tool),
            ...matrix.rows.map(({ cells }) => paintState(terminal.style, words[cells[column]!] ?? "")),
          ]),
        ),
        ...(matrix.withoutHost > 0
          ? [
              terminal.style.dim(
                `${matrix.withoutHost === 1 ? "1 known tool without a host is" : `${matrix.withoutHost} known tools without a host are`} left out: toolrack policy matrix --all`,
              ),
            ]
          : []),
      ].join("\n"),
    );
  },
};
