import type { CommandOption } from "./command.ts";

/** Options of every command that stores a definition. */
export const storeOptions: readonly CommandOption[] = [
  { flags: "--approve", description: "approve a changed definition, too, instead of leaving it for review" },
  {
    flags: "--replace",
    description: "replace the stored definition of this name; an approved tool cannot be called until the new one is approved",
  },
  { flags: "--yes", description: "replace an approved tool without asking" },
];
