import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { defineTool } from "@toolrack/core";
import { listAudit } from "@toolrack/store";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { until } from "@toolrack/testkit/until";
import { describe, expect, it } from "vitest";
import type { Rack } from "../../../src/rack/rack.ts";

const tools = ["alpha", "beta"].map((name) =>
  defineTool({ name, description: `Does ${name}.`, inputSchema: { type: "object" }, handler: () => name }),
);

async function openWith(file: string, folder = temporaryFolder()): Promise<Rack> {
  writeFileSync(join(folder, "toolrack.config.yaml"), file);
  return openTestRack({ folder, tools, config: "toolrack.config.yaml" });
}

const file = `policy:
  agents:
    ann:
      tools: { deny: [alpha] }
agents:
  ann: { description: From the file }
bundles:
  two: { required: [alpha, beta] }
tools:
  disabled: [beta]
`;

const owner = { owner: true };

describe("the settings", () => {
  it("come from the file, each with its line", async () => {
    const rack = await openWith(file);
    expect(rack.settings.list().map(({ key, origin }) => [key, origin])).toEqual([
      ["policy.agents.ann", "toolrack.config.yaml:3"],
      ["agents.ann", "toolrack.config.yaml:6"],
      ["bundles.two", "toolrack.config.yaml:8"],
      ["tools.beta", "toolrack.config.yaml:10"],
    ]);
    expect(rack.registry.entries().find(({ tool }) => tool.name === "beta")).toMatchObject({
      state: "disabled",
      reason: "It is disabled in toolrack.config.yaml:10.",
    });
  });

  it("SD1: are in the audit without the variables and headers of a source", async () => {
    const rack = await openTestRack();
    const remote = { url: "https://tools.example/mcp", headers: { authorization: "Bearer t0k3n-of-a-source" }, enabled: false };
    const local = { command: "/bin/small", env: { GREETING: "v4lue-of-a-variable" }, enabled: false };
    await rack.settings.setAll({ "sources.remote": remote, "sources.local": local }, "root");
    const lines = (await listAudit(rack.store)).filter(({ kind }) => kind === "setting-set");
    expect(lines.map(({ subject }) => subject).sort()).toEqual(["sources.local", "sources.remote"]);
    expect(JSON.stringify(lines)).toContain("GREETING");
    expect(JSON.stringify(lines)).not.toMatch(/t0k3n-of-a-source|v4lue-of-a-variable/);
  });

  // row: C14
  it("are overridden key by key by records, which outlive a restart, until they are reset", async () => {
    const folder = temporaryFolder();
    const rack = await openWith(file, folder);
    await rack.settings.set("policy.agents.ann", { tools: { deny: ["beta"] } }, "root");
    await rack.settings.set("agents.ann", null, "root");
    await rack.settings.set("tools.beta", { enabled: true }, "root");
    await rack.settings.set("agents.v1.bot:x", { model: "m" }, "root");
    await rack.close();
    const again = await openWith(file, folder);
    expect(again.settings.get("policy.agents.ann")).toEqual({
      key: "policy.agents.ann",
      value: { tools: { deny: ["beta"] } },
      origin: "record setting-policy.agents.ann v1",
    });
    expect(again.settings.agents()).toEqual([{ id: "v1.bot:x", model: "m", origin: "record setting-agents.v1.bot:x v1" }]);
    expect(again.registry.view({ agent: "ann" }).tools.map(({ name }) => name)).toContain("alpha");
    expect(again.registry.list().map(({ name }) => name)).toContain("beta");
    expect(await again.settings.reset("policy.agents.ann", "root")).toMatchObject({ origin: "toolrack.config.yaml:3" });
    expect(await again.settings.reset("agents.ann", "root")).toMatchObject({ value: { description: "From the file" } });
    expect(again.registry.explain("alpha", { agent: "ann" }).allowed).toBe(false);
    const deeds = (await listAudit(again.store)).map(({ kind }) => kind);
    expect(deeds.filter((deed) => deed === "setting-set")).toHaveLength(4);
    expect(deeds.filter((deed) => deed === "setting-reset")).toHaveLength(2);
    expect(await again.calls.list()).toEqual([]);
    expect(await again.calls.statistics()).toEqual([]);
  });

  it("that would not hold together are refused, and nothing is written", async () => {
    const rack = await openWith("policy:\n  groups: { mine: [alpha] }\n  tools: { deny: ['group:mine'] }\n");
    await expect(rack.settings.set("policy.groups.mine", null, "root")).rejects.toThrow(/group:mine/);
    await expect(rack.settings.setAll({ "agents.a": { model: "m" }, "policy.tools": { dny: [] } }, "root")).rejects.toThrow(/deny/);
    await expect(rack.settings.set("sources.x", { command: "a", url: "https://b" }, "root")).rejects.toThrow(/keep one of them/);
    await expect(rack.settings.set("bundles.x", { required: "alpha" }, "root")).rejects.toThrow(/required/);
    await expect(rack.settings.set("store.memory", true, "root")).rejects.toThrow(/is no setting/);
    expect(rack.settings.get("agents.a")).toBeUndefined();
    expect(rack.registry.explain("alpha", owner).allowed).toBe(false);
  });

  it("stay as they are when an edit of the file does not go together with a record, and say so", async () => {
    const folder = temporaryFolder();
    const rack = await openWith("policy:\n  groups: { mine: [alpha] }\n", folder);
    await rack.settings.set("policy.tools", { deny: ["group:mine"] }, "root");
    writeFileSync(join(folder, "toolrack.config.yaml"), "policy:\n  groups: { other: [alpha] }\n");
    await rack.settings.reload();
    expect(rack.settings.problems[0]).toContain("record setting-policy.tools v1");
    expect(rack.registry.explain("alpha", owner).allowed).toBe(false);
    writeFileSync(join(folder, "toolrack.config.yaml"), "policy:\n  groups: { mine: [beta] }\n");
    await rack.settings.reload();
    expect(rack.settings.problems).toEqual([]);
    expect(rack.registry.explain("alpha", owner).allowed).toBe(true);
  });

  it("take names as they come, also those that objects have of their own", async () => {
    const rack = await openWith("");
    for (const name of ["__proto__", "constructor", "a b c"]) await rack.settings.set(`agents.${name}`, { model: "m" }, "root");
    await rack.settings.set("policy.agents.__proto__", { tools: { deny: ["alpha"] } }, "root");
    expect(rack.settings.agents().map(({ id }) => id)).toEqual(["__proto__", "constructor", "a b c"]);
    expect(rack.registry.explain("alpha", { agent: "__proto__" }).allowed).toBe(false);
    expect(rack.registry.explain("alpha", { agent: "constructor" }).allowed).toBe(true);
    expect(({} as { model?: string }).model).toBeUndefined();
  });

  it("change while calls run, and no call is dropped", async () => {
    const folder = temporaryFolder();
    let finish: () => void = () => undefined;
    const slow = defineTool({
      name: "slow",
      description: "Takes its time.",
      inputSchema: { type: "object" },
      handler: () => new Promise((resolve) => (finish = () => resolve("done"))),
    });
    writeFileSync(join(folder, "toolrack.config.yaml"), "policy: {}\n");
    const rack = await openTestRack({ folder, tools: [slow], config: "toolrack.config.yaml" });
    const call = rack.call("slow", {}, { caller: owner });
    await until(async () => (await rack.calls.running()).length === 1);
    writeFileSync(join(folder, "toolrack.config.yaml"), "policy: { tools: { deny: [slow] } }\n");
    await until(() => !rack.registry.explain("slow", owner).allowed);
    expect(await rack.call("slow", {}, { caller: owner }).result).toMatchObject({ ok: false, code: "TOOL_NOT_ALLOWED" });
    finish();
    expect(await call.result).toMatchObject({ ok: true, content: "done" });
  });
});

describe("a configuration file that is wrong at the start", () => {
  it("keeps the rack from opening, with every fault in one message", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "toolrack.config.yaml"), "polcy: {}\nsore: {}\n");
    await expect(openTestRack({ folder, config: "toolrack.config.yaml" })).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: expect.stringMatching(/yaml:1:1 .*policy.*\n.*yaml:2:1 .*store/s),
    });
  });
});
