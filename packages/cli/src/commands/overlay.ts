import type { Command, CommandInput } from "./command.ts";

export const overlayList: Command = {
  name: "overlay list",
  summary: "List what is changed here about tools of others, and whether it still fits them.",
  examples: ["toolrack overlay"],
  async run(input) {
    const { listOverlays } = await import("./_overlay.ts");
    return listOverlays(input);
  },
};

export const overlaySet: Command = {
  name: "overlay set",
  summary:
    "Rename, re-describe, hide or narrow a tool of somebody else, or pin its parameters. Replaces the record so far; what the file says stays.",
  arguments: [
    { form: "<tool>", description: "its name here, at its source, or source/name" },
    { form: "[overlay]", description: "the whole overlay as JSON, instead of options" },
  ],
  options: [
    { flags: "--name <name>", description: "the name here; for admins" },
    { flags: "--title <text>", description: "the title" },
    { flags: "--description <text>", description: "the description that models read" },
    { flags: "--hide", description: "neither list the tool nor let it be called" },
    { flags: "--param <name=text>", description: "the description of a parameter; can be repeated", isList: true },
    { flags: "--hide-param <name>", description: "take an optional parameter out; can be repeated", isList: true },
    { flags: "--pin <name=value>", description: "take a parameter out, and give every call this value; can be repeated", isList: true },
    { flags: "--values <name=list>", description: 'allow only these values, as JSON: kind=["a","b"]; can be repeated', isList: true },
    { flags: "--tag <tag>", description: "add a tag; can be repeated", isList: true },
    { flags: "--group <group>", description: "add a policy group; can be repeated; for admins", isList: true },
    { flags: "--reason <text>", description: "why, for the audit" },
  ],
  examples: [
    'toolrack overlay set github_create_issue --name new_issue --pin owner=acme --description "Opens an issue in our repositories."',
    "toolrack overlay set github/delete_repository --hide",
  ],
  async run(input: CommandInput<[name: string, overlay?: string]>) {
    const { setOverlay } = await import("./_overlay.ts");
    return setOverlay(input);
  },
};

export const overlayConfirm: Command = {
  name: "overlay confirm",
  summary: "Confirm that a stale overlay fits the current definition of its tool; as an admin, also its name and groups.",
  arguments: [{ form: "<tool>", description: "its name here or at its source" }],
  examples: ["toolrack overlay confirm new_issue"],
  async run(input: CommandInput<[name: string]>) {
    const { confirmOverlay } = await import("./_overlay.ts");
    return confirmOverlay(input);
  },
};

export const overlayRemove: Command = {
  name: "overlay remove",
  summary: "Remove an overlay: the tool is again as its source, or the configuration, has it.",
  arguments: [{ form: "<tool>", description: "its name here or at its source" }],
  examples: ["toolrack overlay remove new_issue"],
  async run(input: CommandInput<[name: string]>) {
    const { removeOverlay } = await import("./_overlay.ts");
    return removeOverlay(input);
  },
};
