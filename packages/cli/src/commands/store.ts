import { backUp, copyData, keyFileOption, restoreBackup, restoreOptions } from "./_whole-store.ts";
import type { Command } from "./command.ts";

const fileArgument = { form: "<file>", description: "the back-up" } as const;

export const backup: Command = {
  name: "backup",
  summary: "Write the whole store into one file, while servers use it. The master key is not in it.",
  usesTools: false,
  arguments: [{ form: "<file>", description: "where to; no file is replaced" }],
  options: [keyFileOption],
  examples: ["toolrack backup toolrack-2026-01-31.backup"],
  run: (input) => backUp(input, input.arguments[0]!),
};

export const storeBackup: Command = { ...backup, name: "store backup", examples: ["toolrack store backup toolrack-2026-01-31.backup"] };

export const storeRestore: Command = {
  name: "store restore",
  summary: "Bring a back-up into the store of the configuration, which must be empty: all of it, or nothing.",
  usesTools: false,
  arguments: [fileArgument],
  options: restoreOptions,
  examples: ["toolrack store restore toolrack-2026-01-31.backup", "toolrack store restore --check toolrack-2026-01-31.backup"],
  run: (input) => restoreBackup(input, input.arguments[0]!),
};

export const storeCopy: Command = {
  name: "store copy",
  summary: "Copy a store into an empty one, SQLite or PostgreSQL, while servers use it.",
  usesTools: false,
  arguments: [
    { form: "<from>", description: "a file of SQLite, postgres://…, or env:NAME for a variable that holds the connection string" },
    { form: "<to>", description: "likewise; it must be empty" },
  ],
  options: [
    keyFileOption,
    {
      flags: "--to-key-file <file>",
      description: "the master key that the copy is to have; else the one beside it, else that of the source",
    },
  ],
  examples: ["toolrack store copy .toolrack/toolrack.db env:NEW_DATABASE_URL"],
  run: (input) => copyData(input, input.arguments[0]!, input.arguments[1]!),
};
