import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import type { StarterProject } from "@toolrack/server";
import { version } from "../version.ts";
import { packedFiles, toFileDependency } from "./packed.ts";

/** A file of a new project. */
export interface ProjectFile {
  readonly name: string;
  readonly text: string;
  /** What to do where the file is there already, and is kept. */
  readonly whenKept?: string;
}

/** The scripts of the project's package.json. */
export const projectScripts: Readonly<Record<string, string>> = {
  start: "toolrack serve",
  dev: "toolrack dev",
  // Node's own test runner; the import lets every supported version of Node read TypeScript.
  test: "node --import toolrack/typescript --test tools.test.ts",
};

/** What its tools, its tests and its scripts import. */
export const projectPackages = ["toolrack", "@toolrack/core"] as const;

/** The files of a new project in this folder. `config` is the text of its configuration, with `projectStarter` in it. */
export function projectFiles(folder: string, config: string): readonly ProjectFile[] {
  const name = toPackageName(path.basename(folder));
  return [
    { name: "package.json", text: packageJson(name, folder) },
    { name: "tsconfig.json", text: template("tsconfig.json") },
    {
      name: "toolrack.config.yaml",
      text: config,
      whenKept: "To serve the tools of tools.ts, add ./tools.ts to tools.modules in it.",
    },
    { name: "tools.ts", text: template("tools.ts") },
    { name: "tools.test.ts", text: template("tools.test.ts") },
    { name: ".gitignore", text: template("gitignore"), whenKept: "See that it lists .toolrack/ and .env: they hold keys." },
    { name: "README.md", text: template("README.md").replace("NAME", name) },
  ];
}

/** Two agents with different rights, so that the first refusal is one call away. */
export const projectStarter: StarterProject = {
  modules: ["./tools.ts"],
  agents: {
    assistant: { description: "Greets guests and books tables", allow: ["greet", "book_table"] },
    greeter: { description: "Only greets guests", allow: ["greet"] },
  },
};

function packageJson(name: string, folder: string): string {
  const packed = packedFiles(projectPackages);
  const versionOf = (one: string): string => (packed.has(one) ? toFileDependency(packed.get(one)!, folder) : `^${version}`);
  const manifest = {
    name,
    private: true,
    type: "module",
    engines: { node: ">=20" },
    scripts: projectScripts,
    dependencies: { "@toolrack/core": versionOf("@toolrack/core"), toolrack: versionOf("toolrack") },
    // For editors and `npx tsc`, which check types: nothing here has to be compiled.
    devDependencies: { "@types/node": "^20.19.0", typescript: "^7.0.2" },
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/** "My Tools" → "my-tools". npm installs no package into one of its own name. */
function toPackageName(folderName: string): string {
  const name = folderName
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, "-")
    .replaceAll(/^[._-]+|[._-]+$/g, "");
  return name === "" || name === "toolrack" || name === "node_modules" ? "my-tools" : name.slice(0, 100);
}

function template(name: string): string {
  return readFileSync(path.join(templateFolder(), name), "utf8");
}

/** The folder of files that are published with the command. */
export function templateFolder(): string {
  return path.join(path.dirname(createRequire(import.meta.url).resolve("toolrack/package.json")), "template");
}
