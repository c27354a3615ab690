import { backUp, copyData, keyFileOption, restoreBackup, restoreOptions } from "./_whole-store.ts";
import type { Command, CommandInput } from "./command.ts";

const fileArgument = { form: "<file>", description: "the backup file" } as const;

export const backup: Command = {
  name: "backup",
  summary: "Back up the whole store into one file while servers use it. The master key is not included.",
  usesTools: false,
  arguments: [{ form: "<file>", description: "file to write; it must not exist yet" }],
  options: [keyFileOption],
  examples: ["toolrack backup toolrack-2026-01-31.backup"],
  run: (input: CommandInput<[file: string]>) => backUp(input, input.arguments[0]),
};

export const storeBackup: Command = { ...backup, name: "store backup", examples: ["toolrack store backup toolrack-2026-01-31.backup"] };

export const storeRestore: Command = {
  name: "store restore",
  summary: "Restore a backup into the configured store, which must be empty. Restores everything or nothing.",
  usesTools: false,
  arguments: [fileArgument],
  options: restoreOptions,
  examples: ["toolrack store restore toolrack-2026-01-31.backup", "toolrack store restore --check toolrack-2026-01-31.backup"],
  run: (input: CommandInput<[file: string]>) => restoreBackup(input, input.arguments[0]),
};

export const storeCopy: Command = {
  name: "store copy",
  summary: "Copy a store into an empty one, SQLite or PostgreSQL, while servers use it.",
  usesTools: false,
  arguments: [
    { form: "<from>", description: "a SQLite file, postgres://…, or env:NAME for an environment variable with the connection string" },
    { form: "<to>", description: "the same forms; must be empty" },
  ],
  options: [
    keyFileOption,
    {
      flags: "--to-key-file <file>",
      description: "file with the master key for the copy (default: the one next to the copy, else the source's)",
    },
  ],
  examples: ["toolrack store copy .toolrack/toolrack.db env:NEW_DATABASE_URL"],
  run: (input: CommandInput<[from: string, to: string]>) => copyData(input, ...input.arguments),
};
