import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { listAudit } from "@toolrack/store";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { serverOver, type TestServer } from "@toolrack/testkit/test-server";
import { until } from "@toolrack/testkit/until";
import { describe, expect, it } from "vitest";

const program = fileURLToPath(new URL("../rack/programs/mcp-server.mjs", import.meta.url));
const command = process.execPath;

async function infoOf(
  ask: TestServer["ask"],
  id: string,
): Promise<{ state: string; identity: string; tools: string[]; config: object; origin: string }> {
  return (await ask("GET", "/sources")).body.sources.find((source: { id: string }) => source.id === id);
}

describe("sources", () => {
  it("that start a program are added by an admin alone, and start after exactly that program was approved (S21)", async () => {
    const { as, rack } = serverOver(await openTestRack());
    const [curator, admin] = await Promise.all([as("boss", "curator"), as("root", "admin")]);
    await rack.secrets.set("GREETING", "s3cret-greeting");
    const source = { command, args: [program], env: { GREETING: "secret:GREETING" } };
    expect(await curator("PUT", "/sources/small", source)).toMatchObject({ status: 403 });
    const added = await admin("PUT", "/sources/small", source);
    expect(added.body).toMatchObject({ state: "waiting-for-approval", kind: "mcp-stdio", config: { env: ["GREETING"] } });
    expect(rack.registry.has("small__say")).toBe(false);
    const { identity } = added.body;
    expect(await curator("POST", "/sources/small/approve", { identity })).toMatchObject({ status: 403 });
    expect(await admin("POST", "/sources/small/approve", { identity: "another" })).toMatchObject({ status: 409 });
    await admin("POST", "/sources/small/approve", { identity });
    await until(() => rack.registry.has("small__say"));
    expect(await infoOf(curator, "small")).toMatchObject({ state: "ready", tools: ["small__say", "small__hang"] });
    const said = await admin("POST", "/tools/small__say/call", { input: { text: "hello" } });
    expect(said.body.content).toContain("hello");
    expect(JSON.stringify([said, await curator("GET", "/sources"), await curator("GET", "/settings")])).not.toContain("s3cret-greeting");

    // Another argument is another program.
    const changed = await admin("PUT", "/sources/small", { ...source, args: [program, "--more"] });
    expect(changed.body.state).toBe("waiting-for-approval");
    await until(() => !rack.registry.has("small__say"));
    await admin("PUT", "/sources/small", source);
    await until(() => rack.registry.has("small__say"));
    expect(await admin("POST", "/sources/small/refresh")).toMatchObject({ status: 200, body: { state: "ready" } });
    expect(await admin("DELETE", "/sources/small")).toMatchObject({ status: 200 });
    await until(() => !rack.registry.has("small__say"));
    expect(await admin("DELETE", "/sources/small")).toMatchObject({ status: 404 });
    const deeds = (await listAudit(rack.store)).map(({ kind }) => kind);
    expect(deeds).toContain("source-approved");
    expect(deeds).toContain("setting-set");
  });

  it("take `trust`, `maxTools` and `required` over the API", async () => {
    const { ask, rack } = serverOver(await openTestRack());
    const add = async (id: string, more: object): Promise<any> => {
      const added = await ask("PUT", `/sources/${id}`, { command, args: [program], ...more });
      await ask("POST", `/sources/${id}/approve`, { identity: added.body.identity });
      await rack.sources.ready();
      return infoOf(ask, id);
    };
    const few = await add("few", { maxTools: 1 });
    expect(few).toMatchObject({ state: "failed", error: expect.stringContaining("lists more than 1 tools"), config: { maxTools: 1 } });
    const pinned = await add("pinned", { trust: { first: "pin", change: "keep-old" }, required: true });
    expect(pinned).toMatchObject({ state: "ready", required: true, config: { trust: { first: "pin", change: "keep-old" } } });
    for (const wrong of [{ maxTools: 0 }, { trust: { first: "never" } }, { trust: { enforce: false } }, { required: "yes" }])
      expect(await ask("PUT", "/sources/wrong", { command, args: [program], ...wrong })).toMatchObject({
        status: 400,
        body: { detail: expect.stringContaining(Object.keys(wrong)[0]!) },
      });
  });

  it("take `maxTools` in the file, for an MCP server alone", async () => {
    const sources = { few: { command, args: [program], maxTools: 1 } };
    const rack = await openTestRack({ config: { store: { memory: true }, sources } });
    await rack.sources.ready();
    expect(rack.sources.list().find(({ id }) => id === "few")).toMatchObject({ state: "failed" });
    const openapi = { url: "https://api.example.com/openapi.json" };
    await expect(openTestRack({ config: { store: { memory: true }, sources: { api: { openapi, maxTools: 5 } } } })).rejects.toThrow(
      /maxTools cannot be set beside it/,
    );
  });

  it("S21: a program that nobody approved is not started, whoever waits for it", async () => {
    const marker = join(temporaryFolder(), "started");
    const source = { command, args: ["-e", `require("node:fs").writeFileSync(${JSON.stringify(marker)}, "")`] };
    const { ask, rack } = serverOver(await openTestRack());
    await ask("PUT", "/sources/sly", source);
    await rack.sources.ready();
    expect(rack.registry.sources().map(({ id }) => id)).not.toContain("mcp:sly");
    expect(existsSync(marker)).toBe(false);
    // The same goes for other words behind a name that was approved.
    const { identity } = await infoOf(ask, "sly");
    await ask("POST", "/sources/sly/approve", { identity });
    await rack.sources.ready();
    expect(existsSync(marker)).toBe(true);
    rmSync(marker);
    await ask("PUT", "/sources/sly", { ...source, args: [...source.args, "more"] });
    await rack.sources.ready();
    expect(rack.registry.sources().map(({ id }) => id)).not.toContain("mcp:sly");
    expect(existsSync(marker)).toBe(false);
  });

  it("S21: of the file start as the file says when the server starts; another command waits, also after a restart", async () => {
    const folder = temporaryFolder();
    const file = join(folder, "toolrack.config.yaml");
    const write = (args: string[]): void => writeFileSync(file, JSON.stringify({ sources: { small: { command, args } } }));
    write([program]);
    const { ask, rack } = serverOver(await openTestRack({ folder, config: "toolrack.config.yaml" }));
    await until(() => rack.registry.has("small__say"));
    const first = await infoOf(ask, "small");
    expect(first).toMatchObject({ state: "ready", origin: "toolrack.config.yaml:1" });
    write([program, "--evil"]);
    await rack.settings.reload();
    await rack.sources.ready();
    expect(await infoOf(ask, "small")).toMatchObject({ state: "ready", identity: first.identity });
    await rack.close({ graceMs: 0 });

    const again = serverOver(await openTestRack({ folder, config: "toolrack.config.yaml" }));
    await again.rack.sources.ready();
    const { state, identity } = await infoOf(again.ask, "small");
    expect(state).toBe("waiting-for-approval");
    expect(again.rack.registry.has("small__say")).toBe(false);
    await again.ask("POST", "/sources/small/approve", { identity });
    await until(() => again.rack.registry.has("small__say"));
  });

  it("are there when they were waited for, and not started where nobody wants them", async () => {
    const config = { store: { memory: true }, sources: { small: { command, args: [program] } } } as const;
    const { rack } = serverOver(await openTestRack({ config }));
    await rack.sources.ready();
    expect(rack.registry.has("small__say")).toBe(true);
    const { rack: other } = serverOver(await openTestRack({ config, startSources: false }));
    await other.sources.ready();
    expect(other.registry.has("small__say")).toBe(false);
    expect(other.sources.list().map(({ id }) => id)).toContain("small");
  });

  it("that fail are shown as failed, and harm nobody", async () => {
    const { ask, rack } = serverOver(
      await openTestRack({ config: { store: { memory: true }, sources: { dead: { command: "/no/such/program" } } } }),
    );
    await until(async () => (await infoOf(ask, "dead")).state === "failed");
    expect((await ask("GET", "/tools")).status).toBe(200);
    expect(rack.registry.list().length).toBeGreaterThan(0);
    expect(await ask("PUT", "/sources/odd__id", { command: "x" })).toMatchObject({ status: 400 });
    expect(await ask("PUT", "/sources/both", { command: "x", url: "https://x" })).toMatchObject({ status: 400 });
  });

  it("at a url do not reach this machine unless they are told to", async () => {
    const { ask } = serverOver(await openTestRack());
    await ask("PUT", "/sources/inward", { url: "http://127.0.0.1:9/mcp" });
    await until(async () => (await infoOf(ask, "inward")).state === "failed");
    expect(JSON.stringify(await infoOf(ask, "inward"))).toMatch(/not an address of the public internet/);
  });
});
