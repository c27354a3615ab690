import { oldestJob, poolLines, readySources } from "./_cluster-lines.ts";
import { showBytes } from "../print/bytes.ts";
import { counted } from "../print/counted.ts";
import type { ServerState, StatusReport } from "@toolrack/server";
import { safe } from "../print/safe.ts";
import { paintState } from "../print/style.ts";
import type { Terminal } from "../print/terminal.ts";
import { showAge } from "../print/time.ts";
import type { Command } from "./command.ts";

export const status: Command = {
  name: "status",
  summary:
    "Show the servers that share the store: their state, sources and workers, whether their configuration and keys agree, what is waiting, and problems. Exits with 1 if the server is not ready.",
  usesTools: false,
  examples: ["toolrack status", "toolrack --url https://tools.example.com status --json"],
  async run({ terminal, connect }) {
    const connection = await connect();
    const answer = await connection.ask("GET /status");
    terminal.answer(answer, () => show(answer, connection.where, terminal));
    return answer.ready ? "ok" : "failed";
  },
};

function show(status: StatusReport, where: string, terminal: Terminal): string {
  const { style } = terminal;
  const { ready, problems, notes, servers, sources } = status;
  return [
    `${safe(where)}: ${ready ? style.good("ready") : style.bad("not ready")}`,
    "",
    servers === undefined
      ? style.bad("The store does not respond, so the other servers are unknown.")
      : terminal.table(
          ["SERVER", "HOST", "PID", "VERSION", "UP", "SEEN", "STATE", "CONFIG", "DIGEST", "KEY", "SOURCES", "LAG", "CALLS"],
          servers.map((server) => row(server, terminal)),
        ),
    "",
    `Checks: ${Object.entries(status.checks)
      .map(([name, state]) => `${safe(name)} ${isInformation.has(name) ? safe(state) : paintState(style, safe(state))}`)
      .join(", ")}`,
    storeLine(status.store),
    waitingLine(status),
    ...jobLines(status, style),
    ...poolLines(servers ?? []),
    ...(status.unrecordedCalls === 0 ? [] : [style.bad(`Calls of this server that are not in the audit: ${status.unrecordedCalls}`)]),
    ...sources.failed.map(({ id, error }) => style.bad(`Source ${safe(id)} failed: ${safe(error ?? "unknown reason")}`)),
    ...problems.map((problem) => style.warn(safe(problem))),
    ...notes.map((note) => style.dim(safe(note))),
  ].join("\n");
}

const isInformation: ReadonlySet<string> = new Set(["wakeUps"]);

function row(server: ServerState, { style }: Terminal): readonly string[] {
  const { name, isThis, host = "", pid, version = "", startedAt, lastSeen, differs, configDigest = "", lag, running } = server;
  const sources = readySources(server);
  const config = differs.length === 0 ? server.config : `${server.config}: ${differs.join(", ")}`;
  return [
    `${safe(name.slice(-6))}${isThis ? " *" : ""}`,
    safe(host),
    pid === undefined ? "" : String(pid),
    safe(version),
    startedAt === undefined ? "" : showAge(Date.now() - startedAt),
    lastSeen === undefined ? "" : `${showAge(Date.now() - Date.parse(lastSeen))} ago`,
    server.status === "active" ? style.good("active") : style.bad(safe(server.status)),
    paint(style, server.config, safe(config)),
    paint(style, server.config, safe(configDigest)),
    paint(style, server.masterKey, server.masterKey),
    sources === undefined ? "" : sources.isAll ? style.good(sources.text) : style.bad(sources.text),
    lag === undefined ? "" : String(lag),
    String(running),
  ];
}

function paint(style: Terminal["style"], comparison: string, text: string): string {
  return comparison === "same" ? style.good(text) : comparison === "different" ? style.bad(text) : style.dim(text);
}

function storeLine({ kind, wakeUps, pool, newestChange, bytes, migrations }: StatusReport["store"]): string {
  const facts = [
    `changes by other servers arrive by ${safe(wakeUps)}`,
    ...(pool === undefined
      ? []
      : [`${pool.inUse} of ${pool.max} connections in use${pool.waiting === 0 ? "" : `, ${pool.waiting} requests are waiting for one`}`]),
    ...(bytes === undefined ? [] : [showBytes(bytes)]),
    ...(newestChange === undefined ? [] : [`newest change ${newestChange}`]),
    ...(migrations === undefined ? [] : [`${migrations.applied} of ${migrations.known} migrations`]),
  ];
  return `Store: ${[kind, ...facts].join(", ")}`;
}

function jobLines({ jobs, waiting, startup = [] }: StatusReport, style: Terminal["style"]): readonly string[] {
  const counts = Object.entries(jobs ?? {}).filter(([, number]) => number > 0);
  return [
    ...(counts.length === 0
      ? []
      : [`Jobs: ${counts.map(([state, number]) => `${number} ${state}${state === "waiting" ? oldestJob(waiting) : ""}`).join(", ")}`]),
    ...startup.map(({ tool, mode, state, error }) => {
      const line = `At the start: ${safe(tool)} (${mode}) ${paintState(style, state)}`;
      return error === undefined ? line : `${line}: ${safe(error)}`;
    }),
  ];
}

function waitingLine({ waiting, running }: StatusReport): string {
  const count = (number: number | undefined, one: string, many: string): readonly string[] =>
    number === undefined ? [] : [`${number} ${number === 1 ? one : many}`];
  const facts = [
    ...count(waiting.approvals, "approval", "approvals"),
    ...count(waiting.configChanges, "configuration change", "configuration changes"),
    ...(waiting.unwrittenEnds === 0
      ? []
      : count(waiting.unwrittenEnds, "call result not written to the store yet", "call results not written to the store yet")),
  ];
  return `Waiting: ${facts.join(", ")}${running === undefined ? "" : `. Running: ${counted(running, "call")}`}`;
}
