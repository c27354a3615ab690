import type { ToolSummary } from "@toolrack/server";
import type { Connection } from "../connection/connection.ts";
import { paintState } from "../print/style.ts";
import { safe } from "../print/safe.ts";
import type { Terminal } from "../print/terminal.ts";
import { callerQuery, noteUnknownAgent } from "./_caller.ts";
import { failedSourceLines } from "./_failed-sources.ts";
import type { Command } from "./command.ts";

export const list: Command = {
  name: "list",
  summary: "List the tools with their state and source.",
  options: [
    { flags: "--all", description: "include tools that are hidden, disabled, unavailable or without a host" },
    { flags: "--category <name>", description: "only tools of this category" },
    { flags: "--source <id>", description: "only tools of this source" },
    { flags: "--state <state>", description: "only tools in this state, such as ready or needs-configuration" },
    { flags: "--bundle <name>", description: "only tools of this bundle" },
    { flags: "--agent <id>", description: "the tools that this agent can see" },
  ],
  examples: ["toolrack list", "toolrack list --agent support --json"],
  async run({ options, terminal, connect }) {
    const connection = await connect();
    await noteUnknownAgent(connection, options, terminal);
    const { all, category, source, state, bundle } = options;
    const answer = await connection.ask("GET /tools", {
      query: {
        all: all === true ? true : undefined,
        category: word(category),
        source: word(source),
        state: word(state),
        bundle: word(bundle),
        ...callerQuery(options),
      },
    });
    terminal.answer(answer, () => {
      if (answer.tools.length === 0) return "No tools to show. Try: toolrack list --all";
      const rows = answer.tools.map((tool) => [
        safe(tool.name) + (tool.version === undefined ? "" : terminal.style.dim(`@${safe(tool.version)}`)),
        paintState(terminal.style, stateOf(tool)),
        safe(tool.category ?? ""),
        safe(tool.source),
        safe(tool.state === "ready" ? tool.description : (tool.reason ?? tool.description)),
      ]);
      return terminal.table(["TOOL", "STATE", "CATEGORY", "SOURCE", "DESCRIPTION"], rows);
    });
    await noteFailedSources(connection, terminal);
  },
};

/** The tools of a source that failed are missing from the list, so that is reported, on standard error. */
async function noteFailedSources(connection: Connection, terminal: Terminal): Promise<void> {
  // A caller without the right to see the sources gets only the list.
  const answer = await connection.ask("GET /sources").catch(() => undefined);
  for (const line of failedSourceLines(answer?.sources ?? [])) terminal.warn(line);
}

function word(value: string | boolean | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** The most important fact: it cannot be used, its source failed, or it needs approval. */
function stateOf({ allowed, asks, state, sourceFailed }: ToolSummary): string {
  if (!allowed) return state === "ready" ? "hidden" : state;
  if (sourceFailed === true) return "source failed";
  return asks ? "asks" : state;
}
