import { counted } from "../print/counted.ts";
import type { ScanFinding } from "@toolrack/core/scan";
import type { Connection } from "../connection/connection.ts";
import { sourceNameOf } from "./_ids.ts";
import { safe } from "../print/safe.ts";
import type { Terminal } from "../print/terminal.ts";
import type { ScanFileOptions } from "./_scan-file.ts";
import type { Command } from "./command.ts";

export const scan: Command = {
  name: "scan",
  summary:
    "Look at the words of tools for what speaks to a model instead of describing the tool. Danger exits with 1. Works on files before anything is connected.",
  arguments: [
    {
      form: "[source-or-file]",
      description:
        "a source or a tool of the server; or a file, read without a server: definitions in JSON, a client's mcp.json, or a module, whose code is loaded",
    },
  ],
  options: [
    {
      flags: "--connect",
      description: "start or call the servers of an mcp.json and scan their tools, instructions, prompts and resources",
    },
    {
      flags: "--allow-host <host>",
      description: "with --connect: host, or host:port, that may be reached although its address is private; can be repeated",
      isList: true,
    },
    { flags: "--strict", description: "also exit with 1 for warnings" },
  ],
  examples: [
    "toolrack scan",
    "toolrack scan tools.json",
    "toolrack scan .cursor/mcp.json --connect",
    "toolrack scan .vscode/mcp.json --connect --allow-host 127.0.0.1:3000",
  ],
  async run({ arguments: [subject], options, lists, terminal, connect, folder, environment, signal }) {
    const isFile = subject !== undefined && /[/\\]|\.(?:[mc]?js|m?ts|jsonc?)$/i.test(subject);
    const report = isFile
      ? await scanFile(subject, folder, { connect: options["connect"] === true, allowHosts: lists("allowHost"), environment, signal })
      : await scanKnown(await connect(), subject);
    terminal.answer(report, () => showReport(report, terminal));
    const failing = options["strict"] === true ? ["danger", "warning"] : ["danger"];
    const hasFailed = report.found.some(({ findings }) => findings.some(({ severity }) => failing.includes(severity)));
    return hasFailed || (options["connect"] === true && report.notAsked.length > 0) ? "failed" : "ok";
  },
};

interface ScanReport {
  readonly tools: number;
  readonly found: readonly { readonly tool: string; readonly source: string; readonly findings: readonly ScanFinding[] }[];
  readonly notAsked: readonly { readonly server: string; readonly reason: string }[];
}

async function scanFile(file: string, folder: string, options: ScanFileOptions): Promise<ScanReport> {
  const [{ definitionsOf }, { scanTool }] = await Promise.all([import("./_scan-file.ts"), import("@toolrack/core/scan")]);
  const { definitions, notAsked } = await definitionsOf(file, folder, options);
  const among = definitions.map(({ definition }) => definition);
  const found = definitions.map(({ source, definition, around }, index) => ({
    tool: nameOf(definition) ?? `#${index + 1}`,
    source,
    findings: [...scanTool(definition, { among }), ...(around === undefined ? [] : scanTool(around))],
  }));
  return { tools: definitions.length, found: found.filter(({ findings }) => findings.length > 0), notAsked };
}

function nameOf(definition: unknown): string | undefined {
  if (typeof definition !== "object" || definition === null) return undefined;
  const { name, function: inner } = definition as { readonly name?: unknown; readonly function?: unknown };
  return typeof name === "string" ? name : nameOf(inner);
}

/** All tools of the server; or those of a source, or one tool. */
async function scanKnown(connection: Connection, subject: string | undefined): Promise<ScanReport> {
  const isSource =
    subject !== undefined && (await connection.ask("GET /sources")).sources.some((one) => [one.id, sourceNameOf(one)].includes(subject));
  const wanted = subject === undefined ? {} : isSource ? { source: subject } : { tool: subject };
  const found: ScanReport["found"][number][] = [];
  let tools = 0;
  for (let offset: number | undefined = 0; offset !== undefined;) {
    const page: { readonly found: ScanReport["found"]; readonly tools: number; readonly next?: number } = await connection.ask(
      "GET /scan",
      {
        query: { ...wanted, offset: offset === 0 ? undefined : offset },
      },
    );
    found.push(...page.found);
    ({ tools, next: offset } = { next: undefined, ...page });
  }
  return { tools, found, notAsked: [] };
}

/** "github  create_issue", and below it each finding with its words and what to do. */
function showReport({ tools, found, notAsked }: ScanReport, { style }: Terminal): string {
  const lines = found.flatMap(({ tool, source, findings }) => [
    `${safe(tool)}  ${style.dim(safe(source))}`,
    ...findings.flatMap(({ severity, rule, path, message, evidence, fix, digest, accepted }) => {
      const painted = severity === "danger" ? style.bad(severity) : severity === "warning" ? style.warn(severity) : severity;
      return [
        `  ${painted}  ${safe(rule)}  ${safe(path)}`,
        `    ${safe(message)}`,
        ...(evidence === "" ? [] : [`    "${safe(evidence)}"`]),
        accepted === undefined
          ? style.dim(`    Fix: ${safe(fix)}\n    To accept it, in scan.accept: { digest: "${digest}", rule: ${safe(rule)}, reason: … }`)
          : style.dim(`    Accepted: ${safe(accepted)}`),
      ];
    }),
  ]);
  const asked = notAsked.map(({ server, reason }) => style.dim(`${safe(server)}: not asked, ${safe(reason)}`));
  const count = found.reduce((sum, { findings }) => sum + findings.length, 0);
  const what = counted(tools, "definition");
  const summary = count === 0 ? style.good(`${what}, no findings.`) : style.dim(`${what}, ${counted(count, "finding")}`);
  return [...lines, ...asked, summary].join("\n");
}
