import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "../lib/files.mjs";
import { packedOnce, publishedPackages } from "../lib/pack.mjs";
import { runTool } from "../lib/run.mjs";

/** The packages as npm would publish them, and what tools for package authors say of them. */
describe("a packed package", () => {
  const work = mkdtempSync(join(tmpdir(), "toolrack-packed-"));
  const names = publishedPackages();
  let folder;
  let packed;

  beforeAll(async () => {
    ({ folder, packed } = await packedOnce());
  });
  afterAll(() => rmSync(work, { recursive: true, force: true }));

  const manifestOf = (name) => JSON.parse(readFileSync(join(root, "packages", name, "package.json"), "utf8"));
  const bytesOf = (name) => readFileSync(join(folder, packed.get(manifestOf(name).name).filename));

  it.each(names)("%s has its licence, its readme and the address of its source", (name) => {
    const { repository, homepage, bugs, license } = manifestOf(name);
    expect({ repository, license }).toEqual({
      repository: { type: "git", url: "git+https://github.com/toolrack/toolrack.git", directory: `packages/${name}` },
      license: "MIT",
    });
    expect([homepage, bugs].every((url) => url.startsWith("https://"))).toBe(true);
    const files = packed.get(manifestOf(name).name).files.map(({ path }) => path);
    expect(files).toEqual(expect.arrayContaining(["LICENSE", "README.md", "package.json"]));
    expect(files.filter((path) => /(^|\/)(test|src|node_modules|\.build)\/|\.tsbuildinfo$/.test(path))).toEqual([]);
  });

  it.each(names)("%s can be resolved as its package.json says", async (name) => {
    const tarball = bytesOf(name);
    const { messages, pkg } = await publint({ pack: { tarball: toArrayBuffer(tarball) }, level: "warning", strict: true });
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
  });

  it.each(names.filter((name) => manifestOf(name).exports !== undefined))("%s has types wherever it has code", async (name) => {
    const { problems = [] } = await checkPackage(withKnownFolders(createPackageFromTarballData(new Uint8Array(bytesOf(name)))));
    // Everything here is an ES module: what requires one sees that, in every version of Node that is supported.
    const faults = problems.filter(({ kind, resolutionKind }) => kind !== "CJSResolvesToESM" && resolutionKind !== "node10");
    expect(faults).toEqual([]);
  });

  describe("in a project without types of a platform", () => {
    const project = join(work, "project");
    const modules = join(project, "node_modules");

    beforeAll(() => {
      for (const name of ["core", "json-schema", "fetch", "agent"]) {
        const target = join(modules, "@toolrack", name);
        mkdirSync(target, { recursive: true });
        execFileSync("tar", ["-xzf", join(folder, packed.get(manifestOf(name).name).filename), "--strip-components=1"], { cwd: target });
      }
      for (const name of ["@standard-schema/spec", "@types/node", "undici-types"]) {
        cpSync(join(root, "node_modules", name), join(modules, name), { recursive: true });
      }
      writeFileSync(join(project, "package.json"), JSON.stringify({ private: true, type: "module" }));
      writeFileSync(join(project, "entries.ts"), entriesOf("core").concat(entriesOf("json-schema")).map(importAll).join(""));
      writeFileSync(join(project, "agents.ts"), entriesOf("agent").map(importAll).join(""));
      writeFileSync(join(project, "signal.ts"), signalUse);
      writeFileSync(join(project, "no-signal.ts"), noSignalUse);
      writeFileSync(join(project, "worker.d.ts"), workerTypes);
    });

    // What is for Node alone may need the types of Node.
    const forNode = ["./node", "./internal/programs"];
    const entriesOf = (name) => {
      const { name: specifier, exports } = manifestOf(name);
      const entries = Object.keys(exports).filter((entry) => entry !== "./package.json" && !forNode.includes(entry));
      return entries.map((entry) => specifier + entry.slice(1));
    };

    it.each([
      ["every entry compiles with lib es2022 alone", { lib: ["es2022"], types: [] }, ["entries.ts"]],
      ["a handler has the parts of a signal with lib es2022 alone", { lib: ["es2022"], types: [] }, ["no-signal.ts"]],
      ["signals are those of lib dom", { lib: ["es2022", "dom"], types: [] }, ["entries.ts", "signal.ts"]],
      ["signals are those of @types/node", { lib: ["es2022"], types: ["node"] }, ["entries.ts", "agents.ts", "signal.ts"]],
      ["signals are those of a platform that declares a class", { lib: ["es2022"], types: [] }, ["entries.ts", "signal.ts", "worker.d.ts"]],
    ])("%s", async (_, options, files) => {
      const compilerOptions = { ...options, target: "es2022", module: "nodenext", strict: true, noEmit: true, skipLibCheck: false };
      writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files }));
      const { code, output } = await runTool("typescript", "tsc", ["-p", project], { cwd: project });
      expect(output).toBe("");
      expect(code).toBe(0);
    });
  });
});

const importAll = (specifier, index) => `import * as entry${index} from "${specifier}";\nvoid entry${index};\n`;

/** Compiles only if the two signals are the same type, whoever declares them. */
const signalUse = `
import type { CallContext, InvokeOptions } from "@toolrack/core";
type Same<One, Other> = (<Probe>() => Probe extends One ? 1 : 2) extends <Probe>() => Probe extends Other ? 1 : 2 ? true : false;
export const context: Same<CallContext["signal"], AbortSignal> = true;
export const options: Same<InvokeOptions["signal"], AbortSignal | undefined> = true;
`;

const noSignalUse = `
import { createRegistry, defineTool } from "@toolrack/core";
const wait = defineTool({
  name: "wait",
  description: "Waits.",
  inputSchema: { type: "object" },
  handler: (_input, { signal }) =>
    new Promise<string>((resolve) => {
      signal.throwIfAborted();
      signal.addEventListener("abort", () => resolve(signal.aborted ? "aborted" : "running"), { once: true });
      // @ts-expect-error -- no such member
      void signal.nope;
    }),
});
createRegistry().register(wait);
`;

/** As the types of workers do it: a class is no property of globalThis. */
const workerTypes = `
declare abstract class AbortSignal {
  static abort(reason?: any): AbortSignal;
  get aborted(): boolean;
  get reason(): any;
  throwIfAborted(): void;
}
`;

/** Otherwise it looks through all its files each time that the compiler asks for a folder, which is half of the work of the check. */
function withKnownFolders(files) {
  const folders = new Set(
    files.listFiles().flatMap((file) => file.split("/").map((_, index, parts) => `${parts.slice(0, index).join("/")}/`)),
  );
  files.directoryExists = (path) => folders.has(path.endsWith("/") ? path : `${path}/`);
  return files;
}

function toArrayBuffer(buffer) {
  return buffer.buffer.slice(buffer.byteOffset, buffer.byteOffset + buffer.byteLength);
}
