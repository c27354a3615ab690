import { createRegistry, type Registry } from "@toolrack/core";
import { executeTool } from "@toolrack/core/array";
import { createCapabilities } from "@toolrack/core/node";
import { coreToolCatalog } from "@toolrack/core/policy";
import { describe, expect, it } from "vitest";
import {
  createMemorySessionsHost,
  createMemoryTools,
  createSessionsTools,
  createUnavailableTools,
  createWebTools,
  unavailableCapabilities,
} from "../../src/index.ts";

const names =
  "sessions_list sessions_history sessions_send sessions_spawn subagents session_status browser canvas message cron gateway nodes agents_list image tts".split(
    " ",
  );

function makeRegistry(overrides: Record<string, boolean> = {}): Registry {
  const registry = createRegistry({ capabilities: createCapabilities({ checks: unavailableCapabilities, overrides }) });
  for (const tool of createUnavailableTools()) registry.register(tool);
  return registry;
}

describe("tools that are not there yet", () => {
  it("are the rest of the catalog, with the catalog's descriptions", () => {
    const tools = createUnavailableTools();
    expect(tools.map((tool) => tool.name)).toEqual(names);
    for (const { name, description } of coreToolCatalog) {
      const tool = tools.find((one) => one.name === name);
      if (tool !== undefined) expect(tool.description).toBe(description);
    }
    const there = new Set([...createWebTools(), ...createMemoryTools()].map((tool) => tool.name));
    expect(names.filter((name) => there.has(name))).toEqual([]);
  });

  it("are not the tools for sessions, where these have a host", () => {
    const { open } = createMemorySessionsHost({ run: () => "", toolsOf: () => [] });
    const there = createSessionsTools({ open }).map((tool) => tool.name);
    expect(createUnavailableTools({ sessions: true }).map((tool) => tool.name)).toEqual(names.filter((name) => !there.includes(name)));
    expect(there.filter((name) => !names.includes(name))).toEqual([]);
  });

  it("are listed as unavailable with the reason, and are never offered", () => {
    const registry = makeRegistry();
    expect(registry.entries().map(({ tool, state }) => [tool.name, state])).toEqual(names.map((name) => [name, "unavailable"]));
    for (const { tool, reason } of registry.entries()) expect(reason, tool.name).toMatch(/^It needs "host:\w+"\. No .+\.$/);
    expect(registry.view({ owner: true }).tools).toEqual([]);
  });

  it("refuse a call with the reason, on every way to it", async () => {
    const registry = makeRegistry();
    const hopeful = makeRegistry(Object.fromEntries(Object.keys(unavailableCapabilities).map((name) => [name, true])));
    for (const tool of createUnavailableTools()) {
      for (const result of [await registry.invoke(tool.name, {}), await hopeful.invoke(tool.name, {}), await executeTool(tool, {})])
        expect(result, tool.name).toMatchObject({
          ok: false,
          code: "TOOL_UNAVAILABLE",
          error: expect.stringMatching(/ (?:is part of this version|takes their host)\.$/),
        });
    }
  });

  it("give way to an implementation of the same name", async () => {
    const registry = makeRegistry();
    registry.register(
      { name: "tts", description: "Speaks.", inputSchema: { type: "object", properties: {} }, handler: () => "news" },
      { onConflict: "replace" },
    );
    expect(await registry.invoke("tts", {})).toMatchObject({ ok: true, content: "news" });
  });
});
