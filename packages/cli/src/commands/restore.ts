import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { CommandError } from "../errors.ts";
import { safe } from "../print/safe.ts";
import { recordIdOf } from "./_definition.ts";
import { restoreBackup, restoreOptions } from "./_whole-store.ts";
import type { Command } from "./command.ts";

export const restore: Command = {
  name: "restore",
  summary: "With a file: restore a backup into the empty store. With a name and a version: restore an old revision of a tool or record.",
  usesTools: false,
  arguments: [
    { form: "<name>", description: "a backup file; or, with a version, a tool or the id of a record" },
    { form: "[version]", description: "the revision to restore" },
  ],
  options: restoreOptions,
  examples: ["toolrack restore toolrack-2026-01-31.backup", "toolrack restore greet 3"],
  async run(input) {
    const {
      arguments: [name = "", version],
      terminal,
      connect,
      folder,
    } = input;
    if (version === undefined) {
      if (existsSync(resolve(folder, name))) return restoreBackup(input, name);
      throw new CommandError(
        "usage",
        `There is no backup file "${safe(name)}". To restore a revision of a tool or record, add its version: toolrack restore ${safe(name)} <version>. List the revisions with: toolrack history ${safe(name)}`,
      );
    }
    const given = restoreOptions.find(({ flags }) => input.options[optionName(flags)] !== undefined);
    if (given !== undefined)
      throw new CommandError(
        "usage",
        `${given.flags.split(" ")[0]} applies to backups, but a version names a revision of a record. Use one or the other.`,
      );
    const connection = await connect();
    const record = await connection.ask("POST /breadcrumbs/{id}/restore", {
      params: { id: recordIdOf(name) },
      body: { version: Number(version) },
    });
    terminal.answer(record, () => `Restored version ${version} of ${name} as version ${record.version}.`);
    return "ok";
  },
};

/** "--key-file <file>" → "keyFile" */
function optionName(flags: string): string {
  return flags
    .split(" ")[0]!
    .slice(2)
    .replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}
