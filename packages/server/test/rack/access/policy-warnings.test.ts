import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineTool, type Logger } from "@toolrack/core";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { serverOver } from "@toolrack/testkit/test-server";
import { until } from "@toolrack/testkit/until";
import { describe, expect, it } from "vitest";
import { starterConfig } from "../../../src/config/starter.ts";

const tools = ["read", "exec"].map((name) =>
  defineTool({ name, description: `Does ${name}.`, inputSchema: { type: "object" }, handler: () => name }),
);
const unknown = 'No tool matches "exce" (did you mean "exec"?) in tools.deny, so nothing is denied by it.';
const unreachable =
  '"exec" in agents.support.tools.allow has no effect, because tools.deny hides what it matches. Remove the entry, or change tools.deny.';

function createLines(): { readonly log: Logger; readonly warnings: string[] } {
  const warnings: string[] = [];
  const nothing = (): void => undefined;
  return { warnings, log: { debug: nothing, info: nothing, error: nothing, warn: (text) => void warnings.push(text) } };
}

const fileOf = (policy: string): string => `store: { memory: true }\npolicy:\n  unknownAgents: allow\n${policy}`;

describe("warnings of the policy", () => {
  it("are logged at the start and when the file is read again, each once until it is gone", async () => {
    const { log, warnings } = createLines();
    const folder = temporaryFolder();
    const save = (policy: string): void => writeFileSync(join(folder, "toolrack.config.yaml"), fileOf(policy));
    save("  tools: { deny: [exce] }\n");
    const rack = await openTestRack({ folder, tools, log, config: "toolrack.config.yaml" });
    await until(() => warnings.includes(unknown));
    await rack.settings.set("policy.agents.support", { tools: { allow: ["read"] } }, "test");
    await rack.policyWarnings.settled();
    expect(warnings.filter((text) => text === unknown)).toHaveLength(1);
    await rack.settings.set("policy.tools", { deny: ["exec"] }, "test");
    await rack.settings.set("policy.agents.support", { tools: { allow: ["read", "exec"] } }, "test");
    await rack.policyWarnings.settled();
    expect(warnings.filter((text) => text === unreachable)).toHaveLength(1);
    await rack.settings.set("policy.tools", { deny: ["exce"] }, "test");
    await rack.policyWarnings.settled();
    expect(warnings.filter((text) => text === unknown)).toHaveLength(2);
  });

  it("are logged when a changed file is in force", async () => {
    const { log, warnings } = createLines();
    const folder = temporaryFolder({ "toolrack.config.yaml": fileOf("  tools: { deny: [exec] }\n") });
    const rack = await openTestRack({ folder, tools, log, config: "toolrack.config.yaml" });
    await rack.policyWarnings.settled();
    expect(warnings).not.toContain(unreachable);
    writeFileSync(
      join(folder, "toolrack.config.yaml"),
      fileOf("  tools: { deny: [exec] }\n  agents: { support: { tools: { allow: [read, exec] } } }\n"),
    );
    await rack.settings.reload();
    await until(() => warnings.includes(unreachable));
  });

  it("are told over HTTP: with their kind by the policy, as sentences by the health, to operators only", async () => {
    const config = { store: { memory: true }, policy: { tools: { deny: ["exce"] } } };
    const { ask, as } = serverOver(await openTestRack({ tools, config }));
    expect((await ask("GET", "/policy")).body.warnings).toMatchObject([{ kind: "unknown-deny", entries: ["exce"], suggestion: "exec" }]);
    expect((await ask("GET", "/health")).body).toMatchObject({ status: "ok", warnings: [unknown] });
    const operator = await as("ops", "subscriber");
    expect((await operator("GET", "/health")).body.warnings).toEqual([unknown]);
    const agent = await as("support");
    expect((await agent("GET", "/health")).body).not.toHaveProperty("warnings");
    await ask("PUT", "/settings/policy.tools", { value: { deny: ["exec"] } });
    expect((await ask("GET", "/health")).body.warnings).toEqual([]);
    expect((await ask("GET", "/policy")).body.warnings).toEqual([]);
  });

  it("follow the tools: a name is known as soon as a source brings its tool", async () => {
    const rack = await openTestRack({ tools, config: { store: { memory: true }, policy: { tools: { deny: ["later"] } } } });
    expect(await rack.policyWarnings.list()).toHaveLength(1);
    const [read] = tools;
    await rack.registry.addSource({ id: "more", list: () => [{ ...read!, name: "later" }] });
    expect(await rack.policyWarnings.list()).toEqual([]);
  });

  it("wait for sources that are being read, so that no name of theirs is taken for a mistake", async () => {
    const { log, warnings } = createLines();
    const folder = temporaryFolder();
    const program = fileURLToPath(new URL("../programs/mcp-server.mjs", import.meta.url));
    const sources = { docs: { command: process.execPath, args: [program] } };
    const config = { store: { memory: true }, sources, policy: { tools: { ask: ["docs_*", "docs__*"] } } };
    const rack = await openTestRack({ folder, log, config });
    await rack.policyWarnings.settled();
    await rack.sources.ready();
    const found = await rack.policyWarnings.list();
    expect(warnings.filter((text) => text.startsWith("No tool matches"))).toEqual(found.map(({ message }) => message));
    expect(found.length).toBeLessThan(2);
  });

  it("are none in the demo and in the file of toolrack init", async () => {
    const demo = temporaryFolder();
    cpSync(fileURLToPath(new URL("../../../../../examples/demo", import.meta.url)), demo, { recursive: true });
    const fresh = temporaryFolder({ "toolrack.config.yaml": starterConfig() });
    for (const folder of [demo, fresh]) {
      const { log, warnings } = createLines();
      const rack = await openTestRack({ folder, log, config: undefined });
      await rack.policyWarnings.settled();
      expect(await rack.policyWarnings.list()).toEqual([]);
      expect(warnings).toEqual([]);
    }
  });
});
