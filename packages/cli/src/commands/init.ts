import { shellWord } from "@toolrack/core/internal/shell-word";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { CommandError } from "../errors.ts";
import { safe } from "../print/safe.ts";
import type { Command, CommandInput } from "./command.ts";

export const init: Command = {
  name: "init",
  summary: "Create a project: tools in TypeScript, a commented toolrack.config.yaml, a test. With --config, write that file alone.",
  arguments: [{ form: "[folder]", description: "where to create it (default: this folder)" }],
  options: [
    { flags: "--force", description: "overwrite files that exist; in package.json, only set the scripts" },
    {
      flags: "--deploy <target>",
      description: "only write the files to deploy a server: systemd, container, kubernetes, nginx, caddy, grafana or prometheus",
    },
  ],
  examples: ["toolrack init my-tools", "toolrack --config toolrack.config.yaml init", "toolrack init --deploy systemd"],
  async run({ arguments: [name], options, terminal, folder, config }) {
    const overwrites = options["force"] === true;
    if (config !== undefined) return writeConfig(path.resolve(folder, config), overwrites, terminal);
    const place = path.resolve(folder, name ?? ".");
    if (typeof options["deploy"] === "string") return deploy(place, options["deploy"], overwrites, terminal);
    const { writeProject } = await import("../project/write-project.ts");
    const { written, kept, commands, mustInstall } = await writeProject(place, { overwrites });
    const keptLines = kept.map(({ name: file, note }) => `  ${file}  ${note}`.trimEnd());
    if (written.length === 0)
      throw new CommandError(
        "failed",
        [
          "Nothing was written: all files of a project exist. Use --force to overwrite them.",
          ...keptLines,
          ...commands.map((line) => `  ${line}`),
        ].join("\n"),
      );
    terminal.answer({ folder: place, written, kept: kept.map(({ name: file }) => file) }, () =>
      [
        `${terminal.style.good("Created a project")} in ${safe(place)}: ${written.join(", ")}`,
        ...(kept.length === 0 ? [] : ["Kept what exists (--force overwrites it):", ...keptLines]),
        "",
        "Next:",
        ...(place === folder ? [] : [`  cd ${shellWord(safe(name!))}`]),
        ...commands.map((line) => `  ${line}`),
        ...(mustInstall && !commands.some((line) => line.startsWith("npm install")) ? ["  npm install"] : []),
        "  npm test",
        "  npm run dev",
      ].join("\n"),
    );
  },
};

async function deploy(place: string, target: string, overwrites: boolean, terminal: CommandInput["terminal"]): Promise<void> {
  const { writeDeployFiles } = await import("../project/deploy-files.ts");
  const { written, kept } = writeDeployFiles(place, target, { overwrites });
  if (written.length === 0)
    throw new CommandError("failed", `Nothing was written: ${kept.map(safe).join(", ")} exist. Use --force to overwrite them.`);
  terminal.answer({ folder: place, written, kept }, () =>
    [
      `Wrote ${written.map(safe).join(", ")}.`,
      ...(kept.length === 0 ? [] : [`Kept what exists (--force overwrites it): ${kept.map(safe).join(", ")}.`]),
      "Change names and addresses in them.",
    ].join("\n"),
  );
}

async function writeConfig(file: string, overwrites: boolean, terminal: CommandInput["terminal"]): Promise<void> {
  const { starterConfig } = await import("@toolrack/server");
  try {
    writeFileSync(file, starterConfig(), { flag: overwrites ? "w" : "wx" });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new CommandError(
      "failed",
      code === "EEXIST" ? `${file} already exists. Use --force to overwrite it.` : `${file} cannot be written: ${message}`,
    );
  }
  terminal.answer({ file }, () => `Wrote ${file}.\nNext: toolrack list, toolrack serve`);
}
