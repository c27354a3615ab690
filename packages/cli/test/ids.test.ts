import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openServer } from "@toolrack/server";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { until } from "@toolrack/testkit/until";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Ended, run } from "./_run.ts";
import { runScripted } from "./_scripted.ts";

const config = `
tools: { packs: { files: false } }
policy: { tools: { ask: [random] } }
agents: { anna: {}, bob: {} }
`;

interface Place {
  readonly server: Awaited<ReturnType<typeof openServer>>;
  run(...words: readonly string[]): Promise<Ended>;
}

async function serve(): Promise<Place> {
  const folder = temporaryFolder();
  await writeFile(join(folder, "toolrack.config.yaml"), config);
  const server = await openServer({ folder, port: 0, consoleFolder: false, logLevel: "silent" });
  onTestFinished(() => server.close({ graceMs: 0 }));
  return { server, run: (...words) => run(words, { folder, environment: { TOOLRACK_URL: server.url } }) };
}

/** Ids whose first letters are equal. */
async function record(place: Place, callId: string): Promise<void> {
  const meta = { callId, tool: "echo", durationMs: 1 };
  const result = { ok: true, content: callId, meta } as const;
  await place.server.rack.calls.record({ ...meta, input: {}, caller: { agent: "anna" }, startedAt: Date.now(), result });
}

describe("the beginning of an id", () => {
  it("stands for the one call that it begins; of several, all are listed", async () => {
    const place = await serve();
    for (const id of ["aaa-111", "aaa-222", "bbb-333"]) await record(place, id);
    expect((await place.run("calls", "bbb")).output).toContain("bbb-333");
    expect((await place.run("calls", "aaa-1", "--json")).json()).toMatchObject({ callId: "aaa-111" });
    const several = await place.run("calls", "aaa");
    expect(several).toMatchObject({ code: 2, output: "" });
    expect(several.errors).toBe('"aaa" begins the id of more than one call. Write more of it:\n  aaa-222\n  aaa-111\n');
    expect(await place.run("calls", "ccc")).toMatchObject({ code: 4, errors: expect.stringContaining('"ccc"') });
    // An id is an id, also where it begins another one.
    await record(place, "bbb");
    expect((await place.run("calls", "bbb", "--json")).json()).toMatchObject({ callId: "bbb" });
  });

  it("stands for a waiting call, with and without the word that all of them begin with; the id of the call does, too", async () => {
    const { server, run: command } = await serve();
    const ask = (agent: string) => server.rack.call("random", { min: 1, max: 6 }, { caller: { agent, principal: `key ${agent}` } });
    const asked = [ask("anna"), ask("bob"), ask("anna")];
    await until(async () => (await server.rack.approvals.list()).length === 3);
    const [first, second, third] = await server.rack.approvals.list();
    // A dash elsewhere could begin what is written of it, which would be an option.
    expect(first!.id).toMatch(/^approval-[0-9a-f]{32}$/);
    expect((await command("approvals", "show", first!.id.slice(0, 14))).output).toContain(first!.id);
    expect((await command("approvals", "show", second!.callId)).output).toContain(second!.id);
    const several = await command("approvals", "show", "approval-");
    expect(several.code).toBe(2);
    for (const { id } of [first!, second!, third!]) expect(several.errors).toContain(`  ${id}\n`);
    const short = first!.id.replace("approval-", "").slice(0, 6);
    expect(await command("approvals", "approve", short, "--scope", "always")).toMatchObject({ code: 0, output: "random was approved.\n" });
    expect(await command("approvals", "deny", second!.id.slice(0, 15))).toMatchObject({ code: 0, output: "random was denied.\n" });
    expect(await command("approvals", "allow", third!.id)).toMatchObject({ code: 0 });
    const results = await Promise.all(asked.map(({ result }) => result));
    expect(results.filter(({ ok }) => ok)).toHaveLength(2);
    const [remembered] = await server.rack.approvals.remembered();
    expect(await command("approvals", "forget", remembered!.id.slice(0, 16))).toMatchObject({
      code: 0,
      output: expect.stringContaining(remembered!.id),
    });
  });

  it("stands for a key", async () => {
    const place = await serve();
    await place.run("keys", "create", "anna");
    await place.run("keys", "create", "bob");
    const [one] = (await place.server.rack.keys.list()).toSorted((a, b) => (a.id < b.id ? -1 : 1));
    expect(await place.run("keys", "revoke", one!.id.slice(0, 8))).toMatchObject({ code: 0, output: `The key ${one!.id} was revoked.\n` });
    expect(await place.server.rack.keys.list()).toHaveLength(1);
    expect((await place.run("keys", "revoke", "zzzz")).code).toBe(4);
  });

  it("stands for a source; the nearest one is suggested", async () => {
    const place = await serve();
    await place.server.rack.registry.addSource({ id: "house", list: () => [] });
    expect((await place.run("sources", "refresh", "pac", "--json")).json()).toMatchObject({ id: "packs" });
    expect((await place.run("sources", "refresh", "packz")).errors).toContain('Did you mean "packs"?');
    expect((await place.run("sources", "remove", "nothing")).code).toBe(4);
  });

  it("stands for a record, by its id or the name of its tool, in history, diff, restore and approve; the nearest name is suggested", async () => {
    const place = await serve();
    const define = (name: string) => ({
      id: `tool-def-${name}`,
      schema_name: "tool.definition.v1",
      title: name,
      context: { name, description: `Greets with ${name}.`, inputSchema: { type: "object", properties: {} } },
    });
    for (const name of ["greeting", "greeter", "farewell"]) {
      expect(await place.server.rack.store.put(define(name) as never)).toMatchObject({ ok: true });
    }
    expect((await place.run("history", "farew")).output).toMatch(/^1\s/m);
    expect((await place.run("history", "tool-def-fare")).output).toMatch(/^1\s/m);
    expect(await place.run("history", "greet")).toMatchObject({
      code: 2,
      errors: expect.stringMatching(/tool-def-greeting\n.*tool-def-greeter/s) as string,
    });
    expect((await place.run("history", "fairwell")).errors).toContain('Did you mean "farewell"?');
    expect((await place.run("diff", "farew")).errors).toContain("has only one revision");
    expect((await place.run("restore", "farew", "1")).output).toMatch(/^Restored version 1 of farew as version \d/);
    expect((await place.run("approve", "farew")).output).toContain("Greets with farewell.");
  });

  it("is not asked for more where it is a whole name: the one that has this name is meant, and not those that begin with it", async () => {
    const waiting = (id: string, callId: string) => ({ id, callId });
    const script = {
      "GET /approvals": {
        waiting: [waiting("approval-one", "call-1"), waiting("approval-two", "call-11")],
        definitions: [],
        grants: [],
        schedules: [],
      },
      "GET /approvals/approval-one": {
        id: "approval-one",
        kind: "schedule",
        schedule: "s",
        tool: "pay",
        when: "daily",
        by: "anna",
        runsAs: {},
        input: {},
      },
    };
    expect((await runScripted(["approvals", "show", "call-1", "--json"], script)).json()).toMatchObject({ id: "approval-one" });
    expect(await runScripted(["approvals", "show", "call-"], script)).toMatchObject({ code: 2 });
  });
});

describe("a source", () => {
  const memory = { id: "memory", kind: "mcp-stdio", origin: "config", state: "ready", identity: "d1", tools: [], problems: [] };
  const script = { "GET /sources": { sources: [memory] }, "POST /sources/memory/refresh": memory };

  it.each(["memory", "mcp:memory", "mcp:mem"])("is named with and without its type: %s", async (name) => {
    const ended = await runScripted(["sources", "refresh", name, "--json"], script);
    expect([ended.code, ended.json()]).toEqual([0, memory]);
  });

  it("that has no tool in a list is known there with and without its type; another name is refused", async () => {
    const tools = { "GET /sources": script["GET /sources"], "GET /tools": { tools: [] } };
    for (const name of ["memory", "mcp:memory"])
      expect(await runScripted(["list", "--source", name], tools)).toMatchObject({ code: 0, output: expect.stringContaining("No tools") });
    expect(await runScripted(["list", "--source", "mcp:memry"], tools)).toMatchObject({
      code: 4,
      errors: expect.stringContaining('Did you mean "mcp:memory"?'),
    });
  });
});
