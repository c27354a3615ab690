import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { decideTools } from "../../src/policy/decide/decide.ts";
import { loadPlugins } from "../../src/sources/plugin.ts";
import { getPluginToolMeta } from "../../src/sources/plugin/tool-meta.ts";
import type { PluginApi, PluginModule, PluginReference } from "../../src/sources/plugin/api.ts";
import { defineTool, type ToolDefinition } from "../../src/tool/tool.ts";

function tool(name: string, metadata?: ToolDefinition["metadata"]): ToolDefinition {
  return defineTool({ name, description: name, inputSchema: { type: "object" }, handler: () => name, ...(metadata && { metadata }) });
}

function plugin(id: string, register: PluginModule["register"]): PluginModule {
  return { id, register };
}

const voice = plugin("voice", (api) => api.registerTool(tool("voice_call")));
const namesOf = (tools: readonly { readonly name: string }[]): string[] => tools.map(({ name }) => name);

describe("a plugin", () => {
  // row: I8
  it("registers tools that carry its id", async () => {
    const { tools, plugins, diagnostics } = await loadPlugins([voice]);
    expect(diagnostics).toEqual([]);
    expect(plugins).toMatchObject([{ id: "voice", from: "code" }]);
    expect(getPluginToolMeta(tools[0]!)).toEqual({ pluginId: "voice", optional: false });
    expect(getPluginToolMeta(tool("read"))).toBeUndefined();
  });

  it("cannot speak in another's name", async () => {
    const sly = plugin("sly", (api) => api.registerTool(tool("x", { pluginId: "voice", groups: ["fs"] })));
    expect(getPluginToolMeta((await loadPlugins([sly])).tools[0]!)?.pluginId).toBe("sly");
  });

  it("may register tools of any accepted shape, optional ones too", async () => {
    const mixed = plugin("mixed", (api) => {
      api.registerTool({ name: "old", description: "old", execute: () => "old" });
      api.registerTool(tool("extra"), { optional: true });
    });
    const { tools } = await loadPlugins([mixed]);
    expect(tools.map(getPluginToolMeta)).toEqual([
      { pluginId: "mixed", optional: false },
      { pluginId: "mixed", optional: true },
    ]);
    const offered = decideTools({ tools, steps: [] });
    expect(namesOf(offered.tools)).toEqual(["old"]);
    expect(offered.decisions.get("extra")).toMatchObject({ rule: "optional-plugin" });
    const named = decideTools({ tools, steps: [{ id: "global", label: "tools", alsoAllow: ["extra"] }] });
    expect(namesOf(named.tools)).toEqual(["old", "extra"]);
  });

  // row: I9
  it("is denied as a whole by its id, and all plugins by group:plugins", async () => {
    const { tools } = await loadPlugins([voice, plugin("Linear", (api) => api.registerTool(tool("linear_search")))]);
    const left = (deny: string[]): string[] => namesOf(decideTools({ tools, steps: [{ id: "global", label: "tools", deny }] }).tools);
    expect(left(["linear"])).toEqual(["voice_call"]);
    expect(left(["group:plugins"])).toEqual([]);
  });

  it("hooks into calls, in the order of registration", async () => {
    const first = plugin("first", (api) => api.beforeToolCall(({ tool: name }) => (name === "exec" ? { block: "no" } : undefined)));
    const second = plugin("second", (api) => api.beforeToolCall(() => undefined));
    const { hooks } = await loadPlugins([first, second]);
    expect(hooks).toHaveLength(2);
    expect(hooks[0]!({ tool: "exec", input: {}, caller: {}, callId: "1" })).toEqual({ block: "no" });
  });

  it("is a source of tools under its own name", async () => {
    const { sources } = await loadPlugins([voice]);
    expect(sources.map(({ id }) => id)).toEqual(["plugin:voice"]);
    expect(namesOf((await sources[0]!.list({ signal: new AbortController().signal })) as ToolDefinition[])).toEqual(["voice_call"]);
  });

  it("may register later in its own time, but not after it is over", async () => {
    let kept: PluginApi | undefined;
    const slow = plugin("slow", async (api) => {
      kept = api;
      await Promise.resolve();
      api.registerTool(tool("slow_tool"));
    });
    expect(namesOf((await loadPlugins([slow])).tools)).toEqual(["slow_tool"]);
    expect(() => kept!.registerTool(tool("late"))).toThrow("after register() was over");
    expect(() => kept!.beforeToolCall(() => undefined)).toThrow("after register() was over");
  });
});

describe("tools of a channel", () => {
  const telegram = plugin("telegram", (api) => {
    api.registerTool(({ channel }) => (channel === "telegram" ? [tool("telegram_pin"), tool("telegram_poll")] : undefined));
    api.registerTool(tool("telegram_info"));
  });

  // row: I11
  it("are made for the callers of that channel", async () => {
    const { tools, toolsFor } = await loadPlugins([telegram]);
    expect(namesOf(tools)).toEqual(["telegram_info"]);
    expect(namesOf(toolsFor({ channel: "telegram" }).tools)).toEqual(["telegram_pin", "telegram_poll"]);
    expect(getPluginToolMeta(toolsFor({ channel: "telegram" }).tools[0]!)?.pluginId).toBe("telegram");
    expect(toolsFor({ channel: "irc" }).tools).toEqual([]);
    expect(toolsFor({}).tools).toEqual([]);
  });

  it("a factory that fails, or brings a taken name, harms no other", async () => {
    const broken = plugin("broken", (api) => {
      api.registerTool(() => {
        throw new Error("no token");
      });
      api.registerTool(() => tool("read"));
      api.registerTool(() => tool("telegram_info"));
    });
    const { toolsFor } = await loadPlugins([broken, telegram], { existing: [{ name: "read" }] });
    const { tools, diagnostics } = toolsFor({ channel: "telegram" });
    expect(namesOf(tools)).toEqual(["telegram_pin", "telegram_poll"]);
    expect(diagnostics).toMatchObject([
      { code: "PLUGIN_INVALID", pluginId: "broken", message: expect.stringContaining("no token") },
      { code: "NAME_TAKEN", tool: "read" },
      { code: "NAME_TAKEN", tool: "telegram_info" },
    ]);
  });
});

describe("what clashes is refused with a diagnostic, and harms nothing else", () => {
  // row: I10
  it("a tool whose name is taken is left out alone", async () => {
    const clashing = plugin("clashing", (api) => {
      for (const name of ["Read", "voice_call", "fine", "bash"]) api.registerTool(tool(name));
    });
    const { tools, diagnostics } = await loadPlugins([voice, clashing], { existing: [{ name: "read" }, { name: "exec" }] });
    expect(namesOf(tools)).toEqual(["voice_call", "fine"]);
    expect(diagnostics.map(({ code, pluginId, tool: name }) => [code, pluginId, name])).toEqual([
      ["NAME_TAKEN", "clashing", "Read"],
      ["NAME_TAKEN", "clashing", "voice_call"],
      ["NAME_TAKEN", "clashing", "bash"],
    ]);
  });

  it("a tool named like another plugin is left out, one named like its own plugin is not", async () => {
    const { tools } = await loadPlugins([
      voice,
      plugin("other", (api) => ["voice", "other"].forEach((name) => api.registerTool(tool(name)))),
    ]);
    expect(namesOf(tools)).toEqual(["voice_call", "other"]);
  });

  it("a plugin whose id is taken by a plugin or a tool is refused as a whole", async () => {
    const register = (api: PluginApi): void => api.registerTool(tool(`${api.pluginId}_x`));
    const { plugins, diagnostics } = await loadPlugins(
      [voice, plugin("VOICE", register), plugin("read", register), plugin("voice_call", register)],
      {
        existing: [{ name: "read" }],
      },
    );
    expect(plugins.map(({ id }) => id)).toEqual(["voice"]);
    expect(diagnostics.map(({ code }) => code)).toEqual(["NAME_TAKEN", "NAME_TAKEN", "NAME_TAKEN"]);
  });

  it("a tool that is wrong is left out alone", async () => {
    const wrong = plugin("wrong", (api) => {
      api.registerTool({} as ToolDefinition);
      api.registerTool(null as unknown as ToolDefinition);
      api.registerTool(tool("fine"));
    });
    const { tools, diagnostics } = await loadPlugins([wrong]);
    expect(namesOf(tools)).toEqual(["fine"]);
    expect(diagnostics).toHaveLength(2);
  });

  it("a plugin that throws brings nothing, and frees its names", async () => {
    const failing = plugin("failing", (api) => {
      api.registerTool(tool("voice_call"));
      throw new Error("no network");
    });
    const { tools, hooks, diagnostics } = await loadPlugins([failing, voice]);
    expect(namesOf(tools)).toEqual(["voice_call"]);
    expect(getPluginToolMeta(tools[0]!)?.pluginId).toBe("voice");
    expect(hooks).toEqual([]);
    expect(diagnostics).toMatchObject([{ code: "PLUGIN_INVALID", message: expect.stringContaining("no network") }]);
  });

  it.each(["group:fs", "*", "", "a b", "x".repeat(200)])("the id %j is refused, for a policy would misread it", async (id) => {
    const { plugins, diagnostics } = await loadPlugins([plugin(id, () => undefined)]);
    expect(plugins).toEqual([]);
    expect(diagnostics).toMatchObject([{ code: "PLUGIN_INVALID" }]);
  });

  it.each([null, 5, {}, { from: "" }, { register: 5 }])("the reference %j is refused", async (reference) => {
    const { plugins, diagnostics } = await loadPlugins([reference as unknown as PluginReference, voice]);
    expect(plugins.map(({ id }) => id)).toEqual(["voice"]);
    expect(diagnostics).toHaveLength(1);
  });
});

describe("plugins in files and packages", () => {
  let directory = "";
  const source = (name: string): string =>
    `export function register(api) { api.registerTool({ name: "${name}", description: "d", inputSchema: { type: "object" }, handler: () => "ok" }); }\n`;
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), "toolrack-plugins-"));
    writeFileSync(join(directory, "linear.mjs"), source("linear_search"));
    writeFileSync(join(directory, "named.mjs"), `export default { id: "own-id", register() {} };\n`);
    writeFileSync(join(directory, "broken.mjs"), "export const = 5;\n");
    writeFileSync(join(directory, "empty.mjs"), "export const nothing = 1;\n");
    const package_ = join(directory, "node_modules", "@acme", "voice");
    mkdirSync(package_, { recursive: true });
    writeFileSync(
      join(package_, "package.json"),
      JSON.stringify({ name: "@acme/voice", version: "1.0.0", type: "module", main: "index.js" }),
    );
    writeFileSync(join(package_, "index.js"), source("voice_call"));
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  // row: I8
  it("are found by path and by package name", async () => {
    const { plugins, diagnostics } = await loadPlugins(
      ["./linear.mjs", "@acme/voice", { from: join(directory, "linear.mjs"), id: "again" }],
      { directory },
    );
    expect(plugins.map(({ id, from, tools }) => [id, from, namesOf(tools)])).toEqual([
      ["linear", "./linear.mjs", ["linear_search"]],
      ["@acme/voice", "@acme/voice", ["voice_call"]],
      ["again", join(directory, "linear.mjs"), []],
    ]);
    expect(diagnostics).toMatchObject([{ code: "NAME_TAKEN", pluginId: "again", tool: "linear_search" }]);
  });

  it("may name themselves, and a configuration may name them otherwise", async () => {
    expect((await loadPlugins(["./named.mjs"], { directory })).plugins[0]!.id).toBe("own-id");
    expect((await loadPlugins([{ from: "./named.mjs", id: "mine" }], { directory })).plugins[0]!.id).toBe("mine");
  });

  it("that are missing, broken or empty are reported, and the others are loaded", async () => {
    const references = ["./missing.mjs", "./broken.mjs", "./empty.mjs", "@acme/missing", "./linear.mjs"];
    const { plugins, diagnostics } = await loadPlugins(references, { directory });
    expect(plugins.map(({ id }) => id)).toEqual(["linear"]);
    expect(diagnostics.map(({ from }) => from)).toEqual(references.slice(0, 4));
    expect(diagnostics[2]!.message).toBe('Plugin "./empty.mjs" exports no function register(api).');
  });
});
