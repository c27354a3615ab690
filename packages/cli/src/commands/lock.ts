import type { Command } from "./command.ts";

export const lock: Command = {
  name: "lock",
  summary: "Write toolrack.lock: the tools of all sources as they are now. With --check: fail where they are not as the file has them.",
  options: [
    { flags: "--check", description: "compare only, and print what differs; for CI" },
    { flags: "--file <file>", description: "the file", default: "toolrack.lock" },
    { flags: "--all", description: "also built-in tools, modules and records" },
  ],
  examples: ["toolrack lock", "toolrack lock --check"],
  async run(input) {
    const { writeOrCheckLock } = await import("./_lock.ts");
    return writeOrCheckLock(input);
  },
};
