import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { describe, expect, it } from "vitest";
import type { Rack } from "../../../src/rack/rack.ts";

const plugin = (name: string, more = ""): string => `
globalThis[Symbol.for("toolrack.test.imported")]?.push("${name}");
export function register(api) {
  api.registerTool({ name: "${name}_say", description: "Says.", inputSchema: { type: "object" }, handler: () => "${name}" });
  ${more}
}`;
const caller = { owner: true, agent: "local" };
const mark = Symbol.for("toolrack.test.imported");

async function open(files: Readonly<Record<string, string>>, allow: readonly string[], prepare?: (folder: string) => void) {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "plugins"), { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, "plugins", name, ".."), { recursive: true });
    writeFileSync(join(folder, "plugins", name), text);
  }
  prepare?.(folder);
  const errors: string[] = [];
  const nothing = (): void => undefined;
  const log = { debug: nothing, info: nothing, warn: nothing, error: (text: string) => void errors.push(text) };
  const imported: string[] = [];
  const shared = globalThis as { [mark]?: string[] };
  shared[mark] = imported;
  try {
    const config = { store: { memory: true }, tools: { plugins: { folder: "./plugins", allow } } };
    return { rack: await openTestRack({ folder, config, log }), errors, imported };
  } finally {
    delete shared[mark];
  }
}

const sourceOf = (rack: Rack, id: string) => rack.registry.sources().find((one) => one.id === id);

describe("tools.plugins", () => {
  // row: C20
  it("loads the plugins that it allows, with their origin and hooks, and imports no others", async () => {
    const hook = `api.beforeToolCall(({ tool }) => (tool === "inner_say" ? { block: "Be quiet." } : undefined));`;
    const files = { "voice.mjs": plugin("voice", hook), "inner/index.mjs": plugin("inner"), "other.mjs": plugin("other") };
    const { rack, imported, errors } = await open(files, ["voice", "inner"]);
    expect(imported).toEqual(["voice", "inner"]);
    expect(errors).toEqual([]);
    expect(rack.registry.entries().find(({ tool }) => tool.name === "voice_say")).toMatchObject({ source: "plugin:voice" });
    expect(rack.registry.get("voice_say")).toMatchObject({ metadata: { pluginId: "voice" } });
    expect(await rack.call("voice_say", {}, { caller }).result).toMatchObject({ ok: true, content: "voice" });
    expect(await rack.call("inner_say", {}, { caller }).result).toMatchObject({ ok: false, code: "BLOCKED" });
    await rack.registry.removeSource("plugin:inner");
    expect([rack.registry.has("inner_say"), rack.registry.has("voice_say")]).toEqual([false, true]);
  });

  it("is named, with its line of the file, as the origin of each plugin that is loaded", async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "plugins"));
    writeFileSync(join(folder, "plugins", "voice.mjs"), plugin("voice"));
    const lines = ["store: { memory: true }", "tools:", "  packs: {}", "  plugins: { folder: ./plugins, allow: [voice] }"];
    writeFileSync(join(folder, "toolrack.config.yaml"), lines.join("\n"));
    const rack = await openTestRack({ folder, config: "toolrack.config.yaml" });
    expect(rack.sources.list().find(({ id }) => id === "plugin:voice")).toMatchObject({ origin: "toolrack.config.yaml:4" });
  });

  it("tells a tool that a plugin registers without a handler among the problems of its source, and keeps the others", async () => {
    const broken = `api.registerTool({ name: "mute", description: "Says nothing.", inputSchema: { type: "object" } });`;
    const { rack, errors } = await open({ "voice.mjs": plugin("voice", broken) }, ["voice"]);
    expect(await rack.call("voice_say", {}, { caller }).result).toMatchObject({ ok: true });
    const { state, problems } = rack.sources.list().find(({ id }) => id === "plugin:voice")!;
    expect([state, problems]).toEqual(["ready", [expect.stringMatching(/plugins\/voice\.mjs: .*"mute".*handler/)]]);
    expect(errors).toHaveLength(1);
  });

  it("imports nothing where the allow list is missing", async () => {
    expect((await open({ "voice.mjs": plugin("voice") }, [])).imported).toEqual([]);
  });

  it("names a plugin that fails by its folder", async () => {
    const throws = 'export function register() { throw new Error("There is no microphone."); }';
    const { rack } = await open({ "linear/index.mjs": throws, "second/index.mjs": throws }, ["linear", "second"]);
    for (const name of ["linear", "second"])
      expect(sourceOf(rack, `plugin:${name}`)).toMatchObject({
        state: "failed",
        error: expect.stringContaining(`plugins/${name}/index.mjs`),
      });
  });

  it("names file and cause of a plugin that fails, which harms no other", async () => {
    const files = {
      "voice.mjs": plugin("voice"),
      "broken.mjs": "export default nothing;",
      "throws.mjs": 'export function register() { throw new Error("There is no microphone."); }',
      "plain.mjs": "export const tools = [];",
    };
    const { rack, errors } = await open(files, ["broken", "throws", "plain", "absent", "voice"]);
    const told = errors.join("\n");
    expect(told).toMatch(/plugins\/broken\.mjs.*nothing is not defined/);
    expect(told).toMatch(/plugins\/throws\.mjs.*There is no microphone/);
    expect(told).toMatch(/plugins\/plain\.mjs.*exports no function register/);
    expect(told).toMatch(/absent.*There is no absent\.mjs/);
    expect(sourceOf(rack, "plugin:broken")).toMatchObject({ state: "failed", error: expect.stringContaining("plugins/broken.mjs") });
    expect(await rack.call("voice_say", {}, { caller }).result).toMatchObject({ ok: true });
  });

  it("refuses links, and names that lead out of the folder", async () => {
    const { imported, errors } = await open({}, ["linked", "inside", "../outside", "/outside", "..", "deep/er"], (folder) => {
      mkdirSync(join(folder, "elsewhere"));
      for (const name of ["outside.mjs", "elsewhere/index.mjs", "plugins/linked-to.mjs"])
        writeFileSync(join(folder, name), plugin("outside"));
      symlinkSync(join(folder, "outside.mjs"), join(folder, "plugins", "linked.mjs"));
      symlinkSync(join(folder, "elsewhere"), join(folder, "plugins", "inside"));
    });
    expect(imported).toEqual([]);
    expect(errors).toHaveLength(6);
    expect(errors[0]).toMatch(/plugins\/linked\.mjs is a link/);
    expect(errors[1]).toMatch(/plugins\/inside is a link/);
    for (const error of errors.slice(2)) expect(error).toMatch(/is not the name of a file or folder/);
  });

  it("refuses a folder in which agents can write", async () => {
    const config = {
      store: { memory: true },
      tools: { packs: { files: true }, plugins: { folder: "./workspace/plugins", allow: ["voice"] } },
    };
    await expect(openTestRack({ config })).rejects.toThrow(/tools\.plugins\.folder.*agents may change plugins/);
    for (const [workspace, folder] of [
      ["./plugins/voice", "./plugins"],
      ["./workspace", "."],
    ] as const) {
      const around = { store: { memory: true }, workspace, tools: { packs: { files: true }, plugins: { folder, allow: ["voice"] } } };
      await expect(openTestRack({ config: around })).rejects.toThrow(/tools\.plugins\.folder: .*agents could write a plugin/);
    }
  });
});
