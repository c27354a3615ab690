import type { Command, CommandInput } from "./command.ts";

export const grantsList: Command = {
  name: "grants list",
  summary: "List which tools may reach for programs, hosts, files or secrets, who granted it, and which wait for that.",
  examples: ["toolrack grants"],
  async run(input) {
    const { listGrants } = await import("./_grants.ts");
    return listGrants(input);
  },
};

export const grantsAdd: Command = {
  name: "grants add",
  summary: "Grant a tool what it asks for. The grant is for its definition as it is now: a changed one needs another.",
  arguments: [{ form: "<tool>", description: "name of the tool, as toolrack grants list shows it" }],
  options: [
    { flags: "--reason <text>", description: "why; required" },
    { flags: "--days <n>", description: "days until it ends" },
    { flags: "--print <print>", description: "the print of the definition that you looked at; refused if it is another one by now" },
  ],
  examples: ['toolrack grants add build --reason "Releases need it." --days 30'],
  async run(input: CommandInput<[name: string]>) {
    const { addGrant } = await import("./_grants.ts");
    return addGrant(input);
  },
};

export const grantsRevoke: Command = {
  name: "grants revoke",
  summary: "Revoke a grant. The tool is not served any more.",
  arguments: [{ form: "<tool>", description: "the tool, or the id of the grant" }],
  examples: ["toolrack grants revoke build"],
  async run(input: CommandInput<[given: string]>) {
    const { revokeGrant } = await import("./_grants.ts");
    return revokeGrant(input);
  },
};
