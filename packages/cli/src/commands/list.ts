import { shellWord } from "@toolrack/core/internal/shell-word";
import type { ToolSummary } from "@toolrack/server";
import type { Connection } from "../connection/connection.ts";
import { paintState } from "../print/style.ts";
import { safe } from "../print/safe.ts";
import type { Terminal } from "../print/terminal.ts";
import { callerQuery, noteUnknownCaller } from "./_caller.ts";
import { sourceNameOf } from "./_ids.ts";
import { demandKnown, explainBundle } from "./_known-names.ts";
import type { Command, CommandInput } from "./command.ts";
import { failedSourceLines } from "./_failed-sources.ts";

export const list: Command = {
  name: "list",
  summary: "List the tools with their state and source.",
  options: [
    { flags: "--all", description: "include tools that are hidden, disabled, unavailable or without a host" },
    { flags: "--category <name>", description: "only tools of this category" },
    { flags: "--source <id>", description: "only tools of this source" },
    { flags: "--tag <tag>", description: "only tools with this tag, such as category:general" },
    { flags: "--state <state>", description: "only tools in this state, such as ready or needs-configuration" },
    { flags: "--bundle <name>", description: "only tools of this bundle" },
    { flags: "--agent <id>", description: "the tools that this agent can see" },
  ],
  examples: ["toolrack list", "toolrack list --agent assistant --json"],
  async run({ options, terminal, connect }) {
    const connection = await connect();
    await noteUnknownCaller(connection, options, terminal);
    const { all, category, source, tag, state, bundle } = options;
    const query = {
      all: all === true ? true : undefined,
      category: word(category),
      source: word(source),
      tag: word(tag),
      state: word(state),
      bundle: word(bundle),
      ...callerQuery(options),
    };
    if (typeof state === "string") demandKnown("state", state, toolStates, "toolrack list --all");
    const answer = await connection
      .ask("GET /tools", { query })
      .catch((error: unknown) => (typeof bundle === "string" ? explainBundle(error, connection, bundle) : Promise.reject(error)));
    if (answer.tools.length === 0) await demandKnownFilters(connection, options);
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
    if (typeof bundle === "string") await noteMissing(connection, bundle, options, terminal);
    await noteFailedSources(connection, terminal);
  },
};

/** A filter with a name that nothing has would show an empty list, as if all were well. */
async function demandKnownFilters(connection: Connection, { category, source }: CommandInput["options"]): Promise<void> {
  if (typeof source !== "string" && typeof category !== "string") return;
  // Who may not see all tools and sources gets what the filter finds.
  const known = await connection.ask("GET /tools", { query: { all: true } }).catch(() => undefined);
  if (known === undefined) return;
  const { sources } = await connection.ask("GET /sources").catch(() => ({ sources: [] }));
  if (typeof source === "string")
    demandKnown(
      "source",
      source,
      [...new Set([...sources.flatMap((one) => [one.id, sourceNameOf(one)]), ...known.tools.map((tool) => tool.source)])],
      "toolrack sources list",
    );
  if (typeof category === "string")
    demandKnown("category", category, [...new Set(known.tools.flatMap((tool) => tool.category ?? []))], "toolrack list --all");
}

const toolStates: readonly ToolSummary["state"][] = ["ready", "deprecated", "resting", "disabled", "unavailable", "needs-configuration"];

/** The tools of a bundle that are not in the list. */
async function noteMissing(connection: Connection, name: string, options: CommandInput["options"], terminal: Terminal): Promise<void> {
  const answer = await connection
    .ask("GET /bundles/{name}/resolve", { params: { name }, query: callerQuery(options) })
    .catch(() => undefined);
  const missing = (answer?.missingCount ?? 0) + (answer?.missingOptionalCount ?? 0);
  if (missing === 0) return;
  const what = missing === 1 ? "1 tool of the bundle is" : `${missing} tools of the bundle are`;
  terminal.note(terminal.style.warn(`${what} not available. To see which: toolrack bundles ${shellWord(safe(name))}`));
}

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
