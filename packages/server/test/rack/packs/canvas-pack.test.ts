import type { Caller, ToolResult } from "@toolrack/core";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { openTestServer, type TestServer } from "@toolrack/testkit/test-server";
import { describe, expect, it } from "vitest";

const config = { tools: { packs: { utility: false, canvas: true } } } as const;
const page = { action: "present", canvasId: "stock", title: "Stock", html: "<h1>Tea</h1><script>x()</script>" };
const present = (server: TestServer, caller: Caller, more: object = {}): Promise<ToolResult> =>
  server.rack.call("canvas", { ...page, ...more }, { caller }).result;

describe("the canvases of a server", () => {
  it("AH22: are shown as documents that run and load nothing", async () => {
    await using server = await openTestServer({ config });
    expect(await present(server, { agent: "ada", principal: "key ada" })).toMatchObject({ ok: true, data: { removed: ["script"] } });
    const { canvases } = (await server.ask("GET", "/canvases")).body;
    expect(canvases).toMatchObject([{ name: "stock", title: "Stock", caller: { agent: "ada" } }]);
    expect(canvases[0]).not.toHaveProperty("document");
    const { document } = (await server.ask("GET", `/canvases/${canvases[0].id}`)).body;
    expect(document).toContain("<h1>Tea</h1>");
    expect(document).toContain("default-src 'none'");
    expect(document).not.toContain("<script");
  });

  it("belong to whoever made them: others see none, and overseers remove none without the role curator", async () => {
    await using server = await openTestServer({ config });
    const [ada, bob] = [await server.as("ada"), await server.as("bob")];
    const [reader, curator] = [await server.as("rita", "subscriber"), await server.as("carl", "curator", "subscriber")];
    await present(server, { agent: "ada", principal: "key ada" });
    await present(server, { agent: "bob", principal: "key bob" }, { title: "Bob's" });
    const listed = (await ada("GET", "/canvases")).body.canvases;
    expect(listed).toMatchObject([{ title: "Stock" }]);
    const path = `/canvases/${listed[0].id}`;
    expect([(await bob("GET", path)).status, (await bob("DELETE", path)).status]).toEqual([404, 404]);
    expect((await reader("GET", "/canvases")).body.canvases).toHaveLength(2);
    expect((await reader("DELETE", path)).status).toBe(403);
    expect((await curator("DELETE", path)).status).toBe(204);
    expect((await ada("GET", path)).status).toBe(404);
  });

  it("have a limit for all callers together", async () => {
    await using server = await openTestServer({ config });
    const by = (agent: string, canvasId: string): Promise<ToolResult> =>
      present(server, { agent, principal: `key ${agent}` }, { canvasId });
    for (const agent of ["ada", "bob", "cora", "dan", "eve"])
      for (let count = 1; count <= 20; count++) expect(await by(agent, `c${count}`)).toMatchObject({ ok: true });
    expect(await by("finn", "c1")).toMatchObject({ ok: false, code: "RATE_LIMITED", error: expect.stringContaining("100 altogether") });
  });

  it("have a limit for each caller, and are kept over a restart", async () => {
    const folder = temporaryFolder();
    const stored = { ...config, store: { sqlite: "rack.db" }, policy: { unknownAgents: "allow" } } as const;
    const caller = { agent: "ada" };
    const first = await openTestRack({ folder, config: stored });
    for (let count = 1; count <= 20; count++) await first.call("canvas", { ...page, canvasId: `c${count}` }, { caller }).result;
    expect(await first.call("canvas", { ...page, canvasId: "more" }, { caller }).result).toMatchObject({ ok: false, code: "RATE_LIMITED" });
    expect(await first.call("canvas", { ...page, canvasId: "c1", title: "Anew" }, { caller }).result).toMatchObject({ ok: true });
    await first.close({ graceMs: 0 });
    const second = await openTestRack({ folder, config: stored });
    const list = await second.call("canvas", { action: "list" }, { caller }).result;
    expect(list).toMatchObject({ ok: true });
    expect(second.canvases.list()).toHaveLength(20);
    expect(await second.call("canvas", { action: "snapshot", canvasId: "c1" }, { caller }).result).toMatchObject({
      data: { text: expect.stringContaining("Tea") },
    });
  });
});
