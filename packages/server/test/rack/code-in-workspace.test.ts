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
    const sources = { mine: { command: process.execPath, args: ["workspace/server.mjs"] } };
    const rack = await open({ folder, config: { store: memory, tools: { packs: { files: true } }, sources } });
    await until(() => rack.sources.list().some(({ id, error }) => id === "mine" && error !== undefined));
    expect(rack.sources.list().find(({ id }) => id === "mine")).toMatchObject({
      state: "failed",
      error: expect.stringContaining("which lies in the workspace"),
    });
  });

  it("SD1: is not loaded for those who only look", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "mine.mjs"), `globalThis.wasLoadedByLooking = true; export default [];`);
    await open({ folder, config: { store: memory, tools: { modules: ["./mine.mjs"] } }, startSources: false });
    expect(Object.hasOwn(globalThis, "wasLoadedByLooking")).toBe(false);
  });
});
