import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { open, temporaryFolder, until } from "./_open.ts";

const memory = { memory: true } as const;

describe("code that the server runs", () => {
  it("SD1: is refused where it lies in the workspace of tools that change files", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "mine.mjs"), "export default [];");
    const config = { store: memory, tools: { packs: { files: true }, modules: ["./mine.mjs"] } };
    await expect(open({ folder, config: { ...config, workspace: "." } })).rejects.toThrow(/mine.mjs lies in the workspace/);
    await open({ folder, config });
    // Nobody changes a file there.
    await open({ folder, config: { ...config, workspace: ".", tools: { modules: ["./mine.mjs"] } } });
  });

  it("SD1: of a source is not started from there, and the source says why", async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "workspace"));
    writeFileSync(join(folder, "workspace", "server.mjs"), "");
    const node = process.execPath;
    const sources = {
      mine: { command: node, args: ["workspace/server.mjs"] },
      later: { command: node, args: ["workspace/not-there-yet.mjs"] },
      loads: { command: node, args: ["--import=./workspace/pre.mjs", "server.mjs"] },
      shell: { command: "sh", args: ["-c", "exec node workspace/server.mjs"] },
      works: { command: node, args: ["../server.mjs"], cwd: "workspace" },
    };
    const rack = await open({ folder, config: { store: memory, tools: { packs: { files: true } }, sources } });
    await until(() => rack.sources.list().filter(({ error }) => error?.includes("lies in the workspace")).length === 5);
  });

  it("SD1: is not loaded for those who only look", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "mine.mjs"), `globalThis.wasLoadedByLooking = true; export default [];`);
    await open({ folder, config: { store: memory, tools: { modules: ["./mine.mjs"] } }, startSources: false });
    expect(Object.hasOwn(globalThis, "wasLoadedByLooking")).toBe(false);
  });
});
