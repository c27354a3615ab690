import { CommandError } from "../errors.ts";
import type { AskOptions } from "../connection/connection.ts";
import { safe } from "../print/safe.ts";
import type { CommandInput, CommandOption } from "./command.ts";

/** Options of a list that is in the order of time. */
export const exportOptions: readonly CommandOption[] = [
  { flags: "--since <when>", description: "only from then on: 2h, 7d, 2026-11-19 or 2026-11-19T08:00:00Z" },
  { flags: "--until <when>", description: "only before then, in the same form" },
  { flags: "--format <format>", description: "csv or ndjson: the whole list on standard output, as it is read" },
];

export function rangeOf({ options }: Pick<CommandInput, "options">): { readonly since?: string; readonly until?: string } {
  const { since, until } = options;
  return { ...(typeof since === "string" && { since }), ...(typeof until === "string" && { until }) };
}

/** "csv", "ndjson", or undefined where nothing is to be exported. */
export function exportFormatOf({ options, terminal }: Pick<CommandInput, "options" | "terminal">): string | undefined {
  const { format } = options;
  if (typeof format !== "string") return undefined;
  if (format !== "csv" && format !== "ndjson")
    throw new CommandError("usage", `--format must be csv or ndjson, but it is "${safe(format)}". One page as JSON is: --json`);
  if (terminal.isJson) throw new CommandError("usage", "--format and --json exclude each other: --json is one document with one page.");
  return format;
}

/** Prints a list as it comes. What a terminal would obey is left out there, and nowhere else. */
export async function exportList(
  { terminal, connect, signal }: Pick<CommandInput, "terminal" | "connect" | "signal">,
  operation: "GET /calls" | "GET /audit",
  query: NonNullable<AskOptions["query"]>,
): Promise<void> {
  const connection = await connect();
  for await (const piece of connection.read(operation, { query, signal }))
    terminal.output.write(terminal.isInteractive ? safe(piece) : piece);
}
