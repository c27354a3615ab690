import { shellWord } from "@toolrack/core/internal/shell-word";
import type { ConfigState, PolicyInForce, SourceInfo, StatusReport, ToolSummary, WaitingDefinition, WantedSecret } from "@toolrack/server";
import { CommandError } from "../errors.ts";
import { clusterLines } from "./_cluster-lines.ts";
import { counted } from "../print/counted.ts";
import { safe } from "../print/safe.ts";
import type { Problem } from "./_problem.ts";
import { suppliedText } from "./_source-lines.ts";
import { stoppedProblems } from "./_stopped.ts";
import type { Command } from "./command.ts";

export const doctor: Command = {
  name: "doctor",
  summary:
    "Report problems of all servers of the store and how to fix them: missing programs, secrets or settings, failed sources, brokers and workers that are away, servers that differ, invalid tools, mistakes in the policy, and schedules that stopped.",
  examples: ["toolrack doctor", "toolrack doctor --json"],
  async run({ terminal, connect }) {
    const connection = await connect();
    terminal.progress("Checking tools …");
    const { tools: known } = await connection.ask("GET /tools", { query: { all: true } });
    const missing = known.filter((tool) => tool.withoutHost === true);
    const withoutHost = missing.map(({ name }) => name);
    const tools = known.filter((tool) => tool.withoutHost !== true);
    terminal.progress("Checking sources …");
    const { sources } = await connection.ask("GET /sources");
    terminal.progress("Checking secrets and settings …");
    const { wanted } = await connection.ask("GET /secrets");
    const settings = await connection.ask("GET /settings");
    terminal.progress("Checking definitions …");
    const { findings } = await connection.ask("GET /lint");
    const policy = await connection.ask("GET /policy");
    const { programs, problems: serverProblems = [] } = await connection.ask("GET /health");
    const status = await unlessRefused<StatusReport | undefined>(() => connection.ask("GET /status"), undefined);
    const definitions = await unlessRefused(
      async () => (await connection.ask("GET /approvals", { query: { limit: 200 } })).definitions,
      [],
    );
    terminal.progress("Checking schedules, triggers and webhooks …");
    const { schedules } = await unlessRefused(() => connection.ask("GET /schedules"), { schedules: [] });
    const { triggers } = await unlessRefused(() => connection.ask("GET /triggers"), { triggers: [] });
    const { webhooks } = await unlessRefused(() => connection.ask("GET /webhooks"), { webhooks: [] });
    const { jobs: dead } = await unlessRefused(() => connection.ask("GET /jobs", { query: { state: "dead", limit: mostDead } }), {
      jobs: [],
    });
    const builtIn = new Set(tools.flatMap(({ name, source }) => (source === builtInSource ? [name] : [])));
    const isBuiltIn = (name: string): boolean => builtIn.has(name);
    // Built-in tools come with their packs: whoever does not use one need not set it up, or install a program for it.
    const isOptional = ({ name, state, reason }: ToolSummary): boolean =>
      isBuiltIn(name) && (state === "needs-configuration" || /^It needs "(?:binary:|playwright-core)/.test(reason ?? ""));
    const stuck = tools.filter(isStuck);
    const optional: readonly Problem[] = [
      ...wanted.filter(({ tools: users }) => users.every(isBuiltIn)).map(secretProblem),
      ...stuck.filter(isOptional).map(({ name, reason, state }) => toolProblem(name, state, reason)),
    ];
    const problems: readonly Problem[] = [
      ...fileProblems(
        settings.problems,
        await unlessRefused<ConfigState>(() => connection.ask("GET /config/pending"), { restart: [] }),
        connection.where,
      ),
      ...serverProblems.filter((problem) => !problem.startsWith("Sources failed:")).map(serverProblem),
      ...policy.warnings.map(policyProblem),
      ...sources.flatMap(sourceProblems),
      ...definitions.filter((one) => one.effect === "held" && isTool(one)).map(heldProblem),
      ...wanted.filter(({ tools: users }) => !users.every(isBuiltIn)).map(secretProblem),
      ...stuck.filter((tool) => !isOptional(tool)).map(({ name, reason, state }) => toolProblem(name, state, reason)),
      ...findings
        .filter(({ severity }) => severity === "error")
        .map(({ tool = "sources", message, fix }) => ({ about: tool, problem: message, remedy: fix })),
      ...stoppedProblems({ schedules, triggers, webhooks }),
    ];
    const modules = sources.flatMap(({ id, supplies }) => (supplies === undefined ? [] : [{ id, supplies }]));
    terminal.answer(
      {
        problems,
        optional,
        tools: tools.length,
        withoutHost,
        sources: sources.length,
        programs,
        modules,
        ...(status && { cluster: clusterOf(status) }),
      },
      () => {
        const { style } = terminal;
        const note = [
          ...optional.map(({ about, problem, remedy }) => `To use ${safe(about)}: ${safe(problem)}. ${safe(remedy)}`.replace("..", ".")),
          programNotes.get(programs) ?? `Programs that tools start: ${safe(programs)}.`,
          ...sourcePrograms(sources),
          ...installNote(missing.filter((tool) => !needsAgent(tool))),
          ...agentsNote(missing.filter(needsAgent)),
          ...changedNote(definitions.filter(({ effect }) => effect !== "held").length),
          ...textsNote(definitions.filter((one) => one.effect === "held" && !isTool(one)).length),
          ...deadNote(dead.length),
          ...(status === undefined ? [] : clusterLines(status)),
          ...modules.map(({ id, supplies }) => `${safe(id)} supplies ${suppliedText(supplies)}.`),
        ]
          .map((line) => style.dim(line))
          .join("\n");
        if (problems.length === 0)
          return `${style.good(`${counted(tools.length, "tool")} from ${counted(sources.length, "source")}: no problems found.`)}\n${note}`;
        return [
          terminal.table(
            ["ABOUT", "PROBLEM", "FIX"],
            problems.map(({ about, problem, remedy }) => [safe(about), safe(problem), safe(remedy)]),
          ),
          style.dim(`${counted(problems.length, "problem")} in ${counted(tools.length, "tool")} from ${counted(sources.length, "source")}`),
          note,
        ].join("\n");
      },
    );
    return problems.length === 0 ? "ok" : "failed";
  },
};

/** What of the status the doctor shows for all servers. */
function clusterOf({ servers = [], jobs, waiting, store }: StatusReport): object {
  return {
    servers: servers.map(({ name, status, config, differs, sources, pools }) => ({ name, status, config, differs, sources, pools })),
    jobs,
    oldestJobMs: waiting.oldestJobMs,
    storeBytes: store.bytes,
  };
}

/** Earlier servers told of tools alone, and did not say so. */
function isTool({ what = "tool" }: Partial<Pick<WaitingDefinition, "what">>): boolean {
  return what === "tool";
}

function heldProblem({ tool, source, reason }: WaitingDefinition): Problem {
  return {
    about: tool,
    problem: `its definition ${reason === "new" ? "is new" : "has changed"} at the source ${source}, and waits for a person`,
    remedy: `toolrack approve ${shellWord(tool)}`,
  };
}

/** Changed definitions of tools that are served meanwhile. */
function changedNote(count: number): readonly string[] {
  return count === 0
    ? []
    : [
        `${counted(count, "changed definition")} ${count === 1 ? "waits" : "wait"} for a person; the tools are served meanwhile: toolrack approvals`,
      ];
}

/** Instructions, prompts and resources of other servers: no tool is missing without them. */
function textsNote(count: number): readonly string[] {
  return count === 0
    ? []
    : [
        `${counted(count, "text")} of other servers ${count === 1 ? "waits" : "wait"} for a person before models may see ${count === 1 ? "it" : "them"}: toolrack approvals`,
      ];
}

const mostDead = 100;

/** They are kept for a while, to look at and to run again: no problem of the server. */
function deadNote(count: number): readonly string[] {
  if (count === 0) return [];
  const jobs = count === mostDead ? `${mostDead} jobs or more are` : `${counted(count, "job")} ${count === 1 ? "is" : "are"}`;
  return [`${jobs} dead, all tries failed: toolrack jobs dead`];
}

/** The tools of the packs. */
const builtInSource = "packs";

function secretProblem({ name, tools, uses }: WantedSecret): Problem {
  return {
    about: (uses ?? tools).join(", "),
    problem: `the secret "${name}" is not set`,
    remedy: `toolrack secrets set ${shellWord(name)}`,
  };
}

/** MCP servers that are programs run with the rights of the server, whatever the packs may do. */
function sourcePrograms(sources: readonly SourceInfo[]): readonly string[] {
  const ids = sources.flatMap(({ id, kind, state }) =>
    kind === "mcp-stdio" && state !== "disabled" && state !== "waiting-for-approval" ? [id] : [],
  );
  return ids.length === 0 ? [] : [`Sources that run a program, with the rights of the server: ${safe(ids.join(", "))}.`];
}

const programNotes: ReadonlyMap<string, string> = new Map([
  ["bubblewrap", "Programs that tools start are isolated by bubblewrap."],
  ["unshare", "Programs that tools start are isolated by unshare."],
  ["unconfined", "Programs that tools start are not isolated: a pack is set to unconfined."],
  ["off", "No built-in tool starts programs of a caller's choice: the packs runtime and code are disabled."],
  ["refused", "Tools cannot start programs: the server's machine has no isolation, or programs could reach files of the server."],
]);

/** Who may not read a part gets the rest of the report. */
async function unlessRefused<Answer>(ask: () => Promise<Answer>, otherwise: Answer): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof CommandError && error.reason === "refused") return otherwise;
    throw error;
  }
}

const correctFile = "Correct toolrack.config.yaml; see: toolrack config status";
/** 'The pack "messages" … is not set up. Set tools.packs.messages.channels …' → the fact and the setting. */
const aboutPack = /^(The pack .*?\.) (Set tools\.packs\..*)$/s;
/** The file is right, and a tool that it speaks of waits for a person. */
const isAboutTool = /: toolrack (?:approve|grants add|overlay confirm) [^\n]+$/;

function fileProblems(problems: readonly string[], { pending, restart }: ConfigState, where: string): readonly Problem[] {
  const about = "configuration";
  const isPending = (problem: string): boolean => pending !== undefined && problem.startsWith(pending.message);
  return [
    ...problems
      .filter((problem) => !isPending(problem))
      .map((text) => {
        if (isAboutTool.test(text)) return { about, ...withCommand(text) };
        const [, problem = text, remedy = correctFile] = aboutPack.exec(text) ?? [];
        return { about, problem, remedy };
      }),
    ...(pending === undefined
      ? []
      : [{ about, problem: pending.message, remedy: `toolrack --url ${shellWord(where)} config approve ${shellWord(pending.digest)}` }]),
    ...(restart.length === 0
      ? []
      : [{ about, problem: `Changed, but takes effect only after a restart: ${restart.join(", ")}.`, remedy: "Restart the server" }]),
  ];
}

/** 'The disk is full. Make room on it.' → the fact and the remedy. */
function serverProblem(text: string): Problem {
  const [problem = text, ...rest] = text.split(/(?<=\.)\s+(?=[A-Z])/);
  return { about: "server", problem, remedy: rest.join(" ") || "toolrack status" };
}

/** What one install each would add, in one line: "One install each would add tools: chromium (browser); espeak-ng (tts)." */
function installNote(missing: readonly ToolSummary[]): readonly string[] {
  const byProgram = new Map<string, string[]>();
  for (const { name, reason = "" } of missing) {
    const [, program = name] = /"(?:binary:)?([^"]+)"/.exec(reason) ?? [];
    byProgram.set(program, [...(byProgram.get(program) ?? []), name]);
  }
  const parts = [...byProgram].map(([program, names]) => `${safe(program)} (${names.map(safe).join(", ")})`);
  return parts.length === 0 ? [] : [`One install each would add tools: ${parts.join("; ")}.`];
}

/** Whether it works with sessions of agents, and no agent runs on the server. */
function needsAgent({ reason = "" }: ToolSummary): boolean {
  return reason.includes('"host:agents"');
}

function agentsNote(missing: readonly ToolSummary[]): readonly string[] {
  if (missing.length === 0) return [];
  return [
    `${counted(missing.length, "tool")} would be offered if an agent ran here (${missing.map(({ name }) => safe(name)).join(", ")}).`,
  ];
}

/** 'tools.paths[0] cannot be enforced. Name other tools.' → the fact and the remedy. */
function policyProblem({ label, message }: PolicyInForce["warnings"][number]): Problem {
  const [problem = message, ...rest] = message.split(/(?<=[.?])\s+(?=[A-Z])/);
  return { about: `policy: ${label}`, problem, remedy: rest.join(" ") || "Correct the entry, or remove it" };
}

function sourceProblems({ id, state, error, problems }: SourceInfo): readonly Problem[] {
  const remedy =
    state === "waiting-for-approval"
      ? `toolrack sources approve ${shellWord(id)}`
      : `Fix it, then run: toolrack sources refresh ${shellWord(id)}`;
  const own = state === "failed" || state === "waiting-for-approval" ? [{ about: id, problem: error ?? `it is ${state}`, remedy }] : [];
  return [...own, ...problems.map((problem) => ({ about: id, ...withCommand(problem) }))];
}

/** 'The tool "x" asks for … Grant it with: toolrack grants add x' → the fact and the command. */
function withCommand(text: string): Omit<Problem, "about"> {
  const [, problem = text, command] = /^(.*?\.) [^.]*: (toolrack [^\n]+)$/s.exec(text) ?? [];
  return { problem, remedy: command ?? "Fix or remove that definition" };
}

/** Missing secrets are reported once, by secret. */
function isStuck({ state, reason }: ToolSummary): boolean {
  return (state === "unavailable" || state === "needs-configuration") && reason?.includes("The secret") !== true;
}

/** 'It needs "git". Install git and put it on the PATH.' → the fact and the remedy. */
function toolProblem(name: string, state: string, reason = `It is ${state}.`): Problem {
  const [fact = reason, ...rest] = reason.split(/(?<=\.)\s+/);
  return {
    about: name,
    problem: fact,
    remedy: state === "needs-configuration" ? `toolrack config ${shellWord(name)}` : rest.join(" ") || `toolrack show ${shellWord(name)}`,
  };
}
