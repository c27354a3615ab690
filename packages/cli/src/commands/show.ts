import type { StoredDefinition, ToolDetails } from "@toolrack/server";
import type { Connection } from "../connection/connection.ts";
import { CommandError } from "../errors.ts";
import { paintState, type Style } from "../print/style.ts";
import { shellWord } from "@toolrack/core/internal/shell-word";
import { safe } from "../print/safe.ts";
import { showDuration } from "../print/time.ts";
import { callerOptions, callerQuery, noteUnknownCaller } from "./_caller.ts";
import { recordIdOf } from "./_definition.ts";
import type { Command, CommandInput } from "./command.ts";
import { parameterRows } from "./_parameters.ts";

export const show: Command = {
  name: "show",
  summary: "Show a tool: parameters, examples, limits, declared needs, state, and whether the caller may use it.",
  arguments: [{ form: "<tool>", description: "name of the tool" }],
  options: callerOptions,
  examples: ["toolrack show book_table", "toolrack show book_table --agent assistant"],
  async run({ arguments: [name], options, terminal, connect }: CommandInput<[name: string]>) {
    const connection = await connect();
    await noteUnknownCaller(connection, options, terminal);
    const tool = await connection.ask("GET /tools/{name}", { params: { name }, query: callerQuery(options) });
    const stored = tool.source === "records" ? await storedOf(connection, tool.name) : undefined;
    const { programLines, reviewLines } = await import("./_program-lines.ts");
    terminal.answer({ ...tool, ...(stored?.calls && { implementation: stored.implementation, calls: stored.calls }) }, () => {
      const { style } = terminal;
      const title = `${style.strong(safe(tool.name))}${tool.version === undefined ? "" : ` ${safe(tool.version)}`}  ${paintState(style, tool.state)}`;
      const rows = parameterRows(tool.inputSchema);
      return [
        title,
        safe(tool.description),
        ...(tool.reason === undefined ? [] : [style.warn(safe(tool.reason))]),
        style.dim(
          [tool.category, `from ${tool.source}`, ...(tool.tags ?? [])]
            .filter((part) => part !== undefined)
            .map(safe)
            .join(" · "),
        ),
        "",
        rows.length === 0 ? "No parameters." : terminal.table(["PARAMETER", "TYPE", "", "DESCRIPTION"], rows),
        ...exampleLines(tool, style),
        ...(stored === undefined ? [] : [...programLines(stored, style), ...reviewLines(stored, style)]),
        ...overlayLines(tool, style),
        ...titled(style, "LIMITS (enforced)", limitsOf(tool)),
        ...(tool.needs === undefined ? [] : titled(style, `NEEDS (${safe(tool.needs.status)})`, needsOf(tool.needs))),
        ...(tool.wrappers === undefined || tool.wrappers.length === 0
          ? []
          : ["", `${style.dim("WRAPPERS")} ${tool.wrappers.map(safe).join(" › ")}`]),
        "",
        ...tool.explanation.sentences.map(safe),
      ].join("\n");
    });
  },
};

/** How a stored tool runs; undefined for callers who may not read that. */
async function storedOf(connection: Connection, tool: string): Promise<StoredDefinition | undefined> {
  return connection.ask("GET /lifecycle/{id}", { params: { id: recordIdOf(tool) } }).catch((error: unknown) => {
    if (error instanceof CommandError) return undefined;
    throw error;
  });
}

/** Each as a command, with what it gives and how that is read. */
function exampleLines({ name, metadata }: ToolDetails, style: Style): readonly string[] {
  const lines = (metadata?.examples ?? []).flatMap(({ description, input, output, usage }) => [
    `  ${style.dim(safe(description ?? ""))}`,
    `  toolrack call ${shellWord(safe(name))} ${shellWord(safe(JSON.stringify(input)))}`,
    ...(output === undefined ? [] : [`    ${style.dim("gives")}      ${safe(JSON.stringify(output))}`]),
    ...(usage === undefined ? [] : [`    ${style.dim("read with")}  ${safe(usage)}`]),
  ]);
  return lines.length === 0 ? [] : ["", style.dim("EXAMPLES"), ...lines];
}

/** What is changed here about the tool of its source. */
function overlayLines({ overlay }: ToolDetails, style: Style): readonly string[] {
  if (overlay === undefined) return [];
  const { sourceId, tool, origin, stale, overlay: change } = overlay;
  return [
    "",
    `${style.dim("OVERLAY")} of ${safe(`${sourceId}/${tool}`)} (${safe(origin)}): ${safe(JSON.stringify(change))}`,
    ...(stale.length === 0
      ? []
      : [style.warn(`Stale: ${safe(stale.join(", "))} changed at the source. toolrack overlay confirm ${shellWord(safe(tool))}`)]),
  ];
}

type Row = readonly [name: string, value: string | undefined];

function limitsOf({ metadata }: ToolDetails): readonly Row[] {
  const { timeoutMs, concurrency, maxResultBytes } = metadata?.limits ?? {};
  return [
    ["timeout", timeoutMs === false ? "none" : timeoutMs === undefined ? undefined : showDuration(timeoutMs)],
    ["concurrent calls", concurrency?.toString()],
    ["result size", maxResultBytes === undefined ? undefined : `${maxResultBytes} bytes`],
  ];
}

function needsOf({ memoryMb, hosts, files, programs, permissions }: NonNullable<ToolDetails["needs"]>): readonly Row[] {
  return [
    ["memory", memoryMb === undefined ? undefined : `${memoryMb} MB`],
    ["hosts", hosts?.join(", ")],
    ["reads files", files?.read?.join(", ")],
    ["writes files", files?.write?.join(", ")],
    ["programs", programs?.join(", ")],
    ["permissions", permissions?.join(", ")],
  ];
}

/** The rows that have a value, under a title. */
function titled(style: Style, title: string, rows: readonly Row[]): readonly string[] {
  const shown = rows.filter(([, value]) => value);
  const width = Math.max(...shown.map(([name]) => name.length));
  return shown.length === 0 ? [] : ["", style.dim(title), ...shown.map(([name, value]) => `  ${name.padEnd(width)}  ${safe(value!)}`)];
}
