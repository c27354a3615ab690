import { shellWord } from "@toolrack/core/internal/shell-word";
import type { Breadcrumb } from "@toolrack/store";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Connection } from "../connection/connection.ts";
import { CommandError } from "../errors.ts";
import { safe } from "../print/safe.ts";
import { recordIdOf } from "./_definition.ts";
import { withId } from "./_ids.ts";
import { readNumber } from "./_numbers.ts";
import { restoreBackup, restoreOptions } from "./_whole-store.ts";
import type { Command, CommandInput } from "./command.ts";

export const restore: Command = {
  name: "restore",
  summary: "With a file: restore a backup into the empty store. With a name and a version: restore an old revision of a tool or record.",
  usesTools: false,
  arguments: [
    { form: "<name>", description: "a backup file; or, with a version, a tool, or the id of a record or its beginning" },
    { form: "[version]", description: "the revision to restore" },
  ],
  options: restoreOptions,
  examples: ["toolrack restore toolrack-2026-01-31.backup", "toolrack restore greet 3"],
  async run(input: CommandInput<[name: string, version?: string]>) {
    const {
      arguments: [name, given],
      terminal,
      connect,
      folder,
    } = input;
    if (given === undefined) {
      if (existsSync(resolve(folder, name))) return restoreBackup(input, name);
      throw new CommandError(
        "usage",
        `There is no backup file "${safe(name)}". To restore a revision of a tool or record, add its version: toolrack restore ${shellWord(safe(name))} <version>. List the revisions with: toolrack history ${shellWord(safe(name))}`,
      );
    }
    const option = restoreOptions.find(({ flags }) => input.options[optionName(flags)] !== undefined);
    if (option !== undefined)
      throw new CommandError(
        "usage",
        `${option.flags.split(" ")[0]} applies to backups, but a version names a revision of a record. Use one or the other.`,
      );
    const version = readNumber(given, "The version");
    const connection = await connect();
    const record = await withId(connection, "record", name, async (found) => {
      const params = { id: recordIdOf(found) };
      try {
        return await connection.ask("POST /breadcrumbs/{id}/restore", { params, body: { version } });
      } catch (error) {
        throw await explainMissing(error, connection, params.id, name, version!);
      }
    });
    const more = [...waitingLines(record, name), ...(await unlistedLines(record, connection))];
    terminal.answer(record, () => [`Restored version ${version} of ${safe(name)} as version ${record.version}.`, ...more].join("\n"));
    return "ok";
  },
};

/** A stored tool runs again when somebody has approved the text that it has now. */
function waitingLines({ schema_name: schema, context }: Breadcrumb, name: string): readonly string[] {
  if (schema !== "tool.definition.v1" || !["draft", "validated"].includes(String(context["state"]))) return [];
  return [`It cannot be called until it is approved. Review it, and approve it, with: toolrack approve ${shellWord(safe(name))}`];
}

/** A tool of a source that does not list it now is not served, whatever its record says. */
async function unlistedLines({ schema_name: schema, context }: Breadcrumb, connection: Connection): Promise<readonly string[]> {
  if (schema !== "tool.definition.v1" || !connection.isServer) return [];
  const { name: tool, upstream } = context as { readonly name?: unknown; readonly upstream?: { readonly source?: unknown } };
  if (upstream === undefined || typeof tool !== "string") return [];
  const known = await connection.ask("GET /definitions/{tool}", { params: { tool } }).catch(() => undefined);
  if (known?.state !== "unknown") return [];
  return [`The source ${safe(String(upstream.source))} does not list ${safe(tool)} now, so it cannot be called until the source does.`];
}

/** Nothing was found: is it the record, or only its version? */
async function explainMissing(error: unknown, connection: Connection, id: string, name: string, version: number): Promise<unknown> {
  if (!(error instanceof CommandError) || error.reason !== "notFound") return error;
  const history = await connection.ask("GET /breadcrumbs/{id}/history", { params: { id } }).catch(() => undefined);
  const versions = (history?.changes ?? []).map(({ record }) => record.version);
  if (versions.length === 0)
    return new CommandError("notFound", `There is no stored tool or record "${safe(name)}". Tools defined in code have no revisions.`);
  const range = versions.length === 1 ? `only version ${versions[0]}` : `the versions ${Math.min(...versions)} to ${Math.max(...versions)}`;
  return new CommandError(
    "notFound",
    `"${safe(name)}" has no version ${version}: it has ${range}. List them with: toolrack history ${shellWord(safe(name))}`,
  );
}

/** "--key-file <file>" → "keyFile" */
function optionName(flags: string): string {
  return flags
    .split(" ")[0]!
    .slice(2)
    .replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}
