import type { Command, CommandInput } from "./command.ts";

export const proof: Command = {
  name: "proof",
  summary: "Print a proof that what was logged about a tool is in the log of definitions. It can be checked without a server.",
  arguments: [{ form: "<tool>", description: "name of the tool, here or at its source" }],
  options: [
    { flags: "--since <file>", description: "an earlier proof: also prove that the log still begins with the one it is of" },
    { flags: "--index <n>", description: "another entry than the newest, as toolrack proof log shows it" },
  ],
  examples: ["toolrack proof github_create_issue > proof.json", "toolrack proof github_create_issue --since proof.json > newer.json"],
  async run(input: CommandInput<[name: string]>) {
    const { printProof } = await import("./_proof.ts");
    return printProof(input);
  },
};

export const proofLog: Command = {
  name: "proof log",
  summary: "List what was logged about definitions, newest first: first sights, changes, approvals, refusals, overlays, grants.",
  usesTools: false,
  options: [
    { flags: "--tool <name>", description: "only entries about this tool, by its name at the source" },
    { flags: "--limit <n>", description: "maximum number of lines", default: "20" },
    { flags: "--before <index>", description: "continue after the previous page" },
  ],
  examples: ["toolrack proof log --limit 5"],
  async run(input) {
    const { listLog } = await import("./_proof.ts");
    return listLog(input);
  },
};

export const proofVerify: Command = {
  name: "proof verify",
  summary: "Check a proof with its file alone: no server and no store is asked.",
  usesTools: false,
  arguments: [
    { form: "<file>", description: "what toolrack proof printed" },
    { form: "[earlier]", description: "an earlier proof: the log must still begin with the one it is of" },
  ],
  options: [
    { flags: "--key <hex>", description: "the public key that must have signed the head; without it, the key in the file is used" },
    { flags: "--definition <file>", description: "a JSON definition that the entry must be about" },
  ],
  examples: ["toolrack proof verify proof.json", "toolrack proof verify newer.json proof.json"],
  async run(input: CommandInput<[file: string, earlier?: string]>) {
    const { verifyFile } = await import("./_proof.ts");
    return verifyFile(input);
  },
};
