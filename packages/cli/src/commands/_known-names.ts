import type { Connection } from "../connection/connection.ts";
import { CommandError } from "../errors.ts";
import { didYouMean, nameList } from "../print/did-you-mean.ts";
import { safe } from "../print/safe.ts";
import type { Terminal } from "../print/terminal.ts";

/** Refuses a name that is none of those known: with the nearest one, or all of them. `see` is the command that lists them. */
export function demandKnown(what: string, given: string, names: readonly string[], see: string): void {
  if (names.includes(given)) return;
  const near = didYouMean(given, names);
  const all = near !== "" || names.length === 0 ? "" : ` Known are ${nameList(names)}.`;
  throw new CommandError("notFound", `There is no ${what} "${safe(given)}".${near}${all} List them with: ${see}`);
}

/** Rejects with the error, or where no bundle has the name, with the names that there are. */
export async function explainBundle(error: unknown, connection: Connection, name: string): Promise<never> {
  if (error instanceof CommandError && error.reason === "notFound") {
    const { bundles } = await connection.ask("GET /bundles");
    demandKnown(
      "bundle",
      name,
      bundles.map((one) => one.name),
      "toolrack bundles",
    );
  }
  throw error;
}

/** Where a filter found nothing: whether that is because of its name. Who may not list the names is told nothing. */
export async function noteUnknownNames(
  connection: Connection,
  terminal: Terminal,
  { tool, agent }: { readonly tool?: string | undefined; readonly agent?: string | undefined },
): Promise<void> {
  const tools = tool === undefined ? undefined : await connection.ask("GET /tools", { query: { all: true } }).catch(() => undefined);
  const agents = agent === undefined ? undefined : await connection.ask("GET /agents").catch(() => undefined);
  const note = (what: string, given: string, names: readonly string[]): void => {
    if (!names.includes(given)) terminal.note(terminal.style.warn(`There is no ${what} "${safe(given)}" now.${didYouMean(given, names)}`));
  };
  if (tools !== undefined)
    note(
      "tool",
      tool!,
      tools.tools.map(({ name }) => name),
    );
  if (agents !== undefined)
    note(
      "agent",
      agent!,
      agents.agents.map(({ id }) => id),
    );
}
