import { counted } from "../print/counted.ts";
import type { Finding } from "@toolrack/core/lint";
import { shellWord } from "@toolrack/core/internal/shell-word";
import type { Connection } from "../connection/connection.ts";
import { CommandError } from "../errors.ts";
import { safe } from "../print/safe.ts";
import type { Terminal } from "../print/terminal.ts";
import { lintFile } from "./_lint-file.ts";
import { runExamplesOf } from "./_run-examples.ts";
import type { Command } from "./command.ts";

export const lint: Command = {
  name: "lint",
  summary:
    "Check definitions and examples of all tools, of one, or of a file. Each finding has a rule, a path and a fix; errors exit with 1.",
  arguments: [
    {
      form: "[tool-or-file]",
      description:
        "check only this tool; or, without a server, the tools of this file: code (.js, .mjs, .cjs, .ts, .mts), which is loaded, or definitions in JSON",
    },
  ],
  options: [
    {
      flags: "--ci",
      description: "also fail where a handler reads a parameter that its schema does not declare (drift); handlers are not run",
    },
    { flags: "--run-examples", description: "also run the examples, except those of destructive tools, and check what comes out" },
    { flags: "--all", description: "also check the built-in tools, which are left out unless one is named" },
  ],
  examples: ["toolrack lint", "toolrack lint ./tools.ts", "toolrack lint --ci --run-examples ./tools.ts"],
  async run({ arguments: [subject], options, terminal, connect, folder, signal }) {
    const wanted = { drift: options["ci"] === true, examples: options["runExamples"] === true, all: options["all"] === true };
    const isFile = subject !== undefined && /[/\\]|\.(?:[mc]?js|m?ts|jsonc?)$/i.test(subject);
    const answer = isFile ? await lintFile(subject, folder, wanted) : await lintKnown(await connect(), subject, wanted, signal);
    terminal.answer(answer, () => showFindings(answer, terminal));
    return answer.findings.some(({ severity }) => severity === "error") ? "failed" : "ok";
  },
};

interface LintAnswer {
  readonly file?: string;
  readonly tools: number;
  readonly findings: readonly Finding[];
}

/** The tools of the server, or of the configuration. */
async function lintKnown(
  connection: Connection,
  tool: string | undefined,
  { drift, examples, all }: { readonly drift: boolean; readonly examples: boolean; readonly all: boolean },
  signal: AbortSignal,
): Promise<LintAnswer> {
  const builtIn = all || tool !== undefined ? new Set<string>() : await builtInTools(connection);
  const findings: Finding[] = [];
  let tools = 0;
  // Every page, because an error on the last one counts, too.
  for (let offset: number | undefined = 0; offset !== undefined;) {
    const query = { tool, drift: drift ? true : undefined, offset: offset === 0 ? undefined : offset };
    const page: LintAnswer & { readonly next?: number } = await connection.ask("GET /lint", { query });
    findings.push(...page.findings.filter((finding) => finding.tool === undefined || !builtIn.has(finding.tool)));
    ({ tools, next: offset } = { next: undefined, ...page });
  }
  // A definition that waits is stored and not served: that nothing was found in it would be no news.
  if (tool !== undefined && tools === 0 && findings.length === 0)
    throw new CommandError(
      "notFound",
      `"${tool}" was not checked, because it is not served. If it waits for approval, this shows what is wrong with it: toolrack approve ${shellWord(tool)}`,
    );
  if (examples) findings.push(...(await runExamplesOf(connection, { only: tool, except: builtIn, signal })));
  return { findings, tools: tools - builtIn.size };
}

/** They are checked where they are made, and some of their examples need files that a workspace may not have. */
async function builtInTools(connection: Connection): Promise<ReadonlySet<string>> {
  const { tools } = await connection.ask("GET /tools", { query: { all: true } });
  return new Set(tools.flatMap(({ name, source }) => (source === "packs" ? [name] : [])));
}

/** A name from a file can have any characters, and any length. */
function onOneLine(text: string): string {
  return safe(text.length > 300 ? `${text.slice(0, 300)}…` : text).replaceAll(/\s+/g, " ");
}

/** "lamp  error  drift  /handler", and below it the fact and the fix. */
function showFindings({ file, tools, findings }: LintAnswer, { style }: Terminal): string {
  const what = `${counted(tools, "tool")}${file === undefined ? "" : ` in ${safe(file)}`}`;
  if (findings.length === 0) return style.good(`${what}, no findings.`);
  const lines = findings.map(({ tool, severity, rule, path, message, fix }) => {
    const painted = severity === "error" ? style.bad(severity) : style.warn(severity);
    // A tool that is named needs no number in the list.
    const place = tool === undefined ? path : path.replace(/^\/\d+(?=\/|$)/, "");
    const head = [tool ?? file ?? "sources", painted, rule, place].filter((part) => part !== "");
    return `${head.map((part) => (part === painted ? part : onOneLine(part))).join("  ")}\n  ${safe(message)}\n  ${style.dim(`Fix: ${safe(fix)}`)}`;
  });
  return [...lines, style.dim(`${what}, ${counted(findings.length, "finding")}`)].join("\n");
}
