import { defineTool, type ToolDefinition, type ToolMetadata } from "@toolrack/core";
import { openTestServer } from "@toolrack/testkit/test-server";
import { expect, it } from "vitest";

interface Stage {
  readonly stage: string;
  readonly count: number;
  readonly added: readonly string[];
  readonly removed: readonly { readonly name: string; readonly reason: string }[];
  readonly wrapped: readonly string[];
  readonly refused: readonly { readonly name: string; readonly reason: string }[];
}

function toolOf(name: string, metadata: ToolMetadata = {}): ToolDefinition {
  return defineTool({ name, description: `Does ${name}.`, inputSchema: { type: "object" }, metadata, handler: () => name });
}

const tools = [
  toolOf("read"),
  toolOf("exec"),
  toolOf("apply_patch", { models: ["gpt-*"] }),
  toolOf("notes"),
  toolOf("spare", { requiresCapabilities: ["env:TOOLRACK_TEST_NEVER_SET"] }),
];
const policy = { agents: { coder: { tools: { deny: ["notes"] } }, other: {} } };

// row: I12
it("the assembly tells the seven stages with counts, and what each did for this caller", async () => {
  await using server = await openTestServer({ tools, config: { policy } });
  await server.rack.registry.addSource({
    id: "chat",
    list: () => [],
    listFor: ({ channel }) => (channel === "telegram" ? [toolOf("telegram_pin")] : []),
  });
  const assembly = async (caller: object): Promise<readonly Stage[]> =>
    (await server.ask("GET", `/assembly?runAs=${encodeURIComponent(JSON.stringify(caller))}`)).body.stages as Stage[];
  const of = (stages: readonly Stage[], name: string): Stage => stages.find(({ stage }) => stage === name)!;

  const stages = await assembly({ agent: "coder", model: "gpt-5", channel: "telegram" });
  expect(stages.map(({ stage }) => stage)).toEqual(["base", "runtime", "model", "own", "channel", "policy", "wrappers"]);
  expect(of(stages, "base").added).toEqual(["read"]);
  expect(of(stages, "runtime").added).toEqual(["exec"]);
  expect(of(stages, "model").added).toEqual(["apply_patch"]);
  expect(of(stages, "own").added).toEqual(expect.arrayContaining(["notes", "spare", "echo"]));
  expect(of(stages, "channel").added).toEqual(["telegram_pin"]);
  const removed = new Map(of(stages, "policy").removed.map(({ name, reason }) => [name, reason]));
  expect(removed.get("notes")).toContain("agents.coder.tools.deny");
  expect(removed.get("spare")).toContain("TOOLRACK_TEST_NEVER_SET");
  let count = 0;
  for (const { count: after, added, removed: gone } of stages) expect(after).toBe((count += added.length - gone.length));
  const listed = (
    await server.ask("GET", `/exports/anthropic?runAs=${encodeURIComponent('{"agent":"coder","model":"gpt-5","channel":"telegram"}')}`)
  ).body.names as Record<string, string>;
  expect(of(stages, "wrappers").count).toBe(Object.keys(listed).length);
  expect(of(stages, "wrappers").wrapped.toSorted()).toEqual(Object.values(listed).toSorted());

  const others = await assembly({ agent: "other", model: "claude-4" });
  expect(of(others, "model")).toMatchObject({
    added: [],
    refused: [{ name: "apply_patch", reason: expect.stringContaining("claude-4") as string }],
  });
  expect(of(others, "channel").added).toEqual([]);
  expect(of(others, "policy").removed.map(({ name }) => name)).not.toContain("notes");
});

it("the assembly, which names hidden tools, is for those who may see them", async () => {
  await using server = await openTestServer({ tools, config: { policy } });
  expect((await (await server.as("coder"))("GET", "/assembly")).status).toBe(403);
  expect((await (await server.as("reader", "subscriber"))("GET", "/assembly")).status).toBe(200);
});
