import { type AnyTool, defineTool } from "@toolrack/core";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { openTestServer } from "@toolrack/testkit/test-server";
import { until } from "@toolrack/testkit/until";
import { expect, it } from "vitest";

interface Found {
  readonly rule: string;
  readonly tool?: string;
  readonly severity: string;
  readonly message: string;
  readonly path: string;
}

it("lint compares handlers with their schemas where drift is asked for", async () => {
  const lamp = defineTool({
    name: "lamp",
    description: "Switches the lamp of a room on.",
    inputSchema: { type: "object", properties: { room: { type: "string", description: "The room." } } },
    handler: (input: Record<string, unknown>) => {
      throw new Error(String(input["rooms"]));
    },
  });
  await using server = await openTestServer({ tools: [lamp] });
  const driftOf = async (query: string): Promise<readonly Found[]> =>
    ((await server.ask("GET", `/lint${query}`)).body.findings as Found[]).filter(({ rule }) => rule === "drift");
  expect(await driftOf("?tool=lamp")).toEqual([]);
  expect(await driftOf("?tool=lamp&drift=false")).toEqual([]);
  expect(await driftOf("?tool=lamp&drift=true")).toMatchObject([
    { tool: "lamp", severity: "error", path: "/0/handler", message: expect.stringContaining('"rooms"') as string },
  ]);
  expect((await server.ask("GET", "/lint?drift=perhaps")).status).toBe(400);
});

it("the built-in tools read what their schemas declare", async () => {
  const packs = {
    files: true,
    runtime: true,
    code: true,
    web: true,
    memory: true,
    commerce: { sample: true },
    utility: true,
    search: true,
  };
  await using server = await openTestServer({ config: { tools: { packs } }, rack: { folder: temporaryFolder({}) } });
  const { body } = await server.ask("GET", "/lint?drift=true");
  expect(body.tools).toBeGreaterThan(40);
  expect((body.findings as Found[]).filter(({ rule }) => rule === "drift")).toEqual([]);
});

it("does not ask anybody to rename a built-in tool, and does where another tool has one of its names", async () => {
  const twins = async (tools: readonly AnyTool[]): Promise<readonly Found[]> => {
    const packs = { runtime: { shell: true }, code: { bash: true } };
    await using server = await openTestServer({ config: { tools: { packs } }, tools, rack: { folder: temporaryFolder({}) } });
    expect(server.rack.registry.list().map(({ name }) => name)).toEqual(expect.arrayContaining(["bash", "exec"]));
    return ((await server.ask("GET", "/lint")).body.findings as Found[]).filter(({ rule }) => rule === "duplicate-name");
  };
  expect(await twins([])).toEqual([]);
  const own = defineTool({ name: "Bash", description: "Runs a line.", inputSchema: { type: "object" }, handler: () => "" });
  expect(await twins([own])).not.toEqual([]);
});

it("names stored definitions that may be called and cannot run, of every kind", async () => {
  await using server = await openTestServer();
  const context = { name: "gone", description: "A tool.", inputSchema: { type: "object" }, implementation: { kind: "wasm" } };
  await server.rack.store.put({ id: "tool-def-gone", schema_name: "tool.definition.v1", title: "gone", context } as never);
  const found = async (): Promise<Found | undefined> =>
    ((await server.ask("GET", "/lint")).body.findings as Found[]).find(({ rule }) => rule === "stored-program");
  await until(async () => (await found()) !== undefined);
  expect(await found()).toMatchObject({ tool: "gone", severity: "error", message: expect.stringContaining('"wasm"') });
});
