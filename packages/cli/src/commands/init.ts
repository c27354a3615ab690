import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { CommandError } from "../errors.ts";
import type { Command } from "./command.ts";

export const init: Command = {
  name: "init",
  summary: "Write a commented toolrack.config.yaml into this folder.",
  options: [{ flags: "--force", description: "overwrite an existing file" }],
  async run({ options, terminal, folder, config }) {
    const { starterConfig } = await import("@toolrack/server");
    const file = config ?? join(folder, "toolrack.config.yaml");
    try {
      writeFileSync(file, starterConfig(), { flag: options["force"] === true ? "w" : "wx" });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      throw new CommandError("failed", `${file} already exists. Use --force to overwrite it.`);
    }
    terminal.answer({ file }, () => `Wrote ${file}.\nNext: toolrack list, toolrack serve`);
  },
};
