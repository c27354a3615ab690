import { defineTool } from "@toolrack/core";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { openTestServer, type TestServer } from "@toolrack/testkit/test-server";
import { until } from "@toolrack/testkit/until";
import { describe, expect, it } from "vitest";
import { presentCaller } from "../../../src/rack/jobs/present-caller.ts";
import type { ApiKey } from "../../../src/rack/rack.ts";

let isBroken = false;
let calls: { readonly roles: readonly string[] | undefined; readonly owner: boolean | undefined }[] = [];

const work = defineTool({
  name: "work",
  description: "Works.",
  inputSchema: { type: "object", properties: {} },
  handler: (_, { caller }) => {
    calls.push({ roles: caller.roles, owner: caller.owner });
    if (isBroken) throw new Error("broken");
    return "done";
  },
});

/** A job of anna that is due in an hour, and then runs at once. */
async function later(server: TestServer, between: (keyId: string) => Promise<unknown>): Promise<Readonly<Record<string, any>>> {
  calls = [];
  const key = await server.rack.keys.create({ agent: "anna", roles: ["curator"], by: "test" });
  const caller = { agent: "anna", principal: "key anna", roles: ["curator", "emitter", "subscriber"] };
  const { job } = await server.rack.jobs.add({ tool: "work", input: {}, caller, at: Date.now() + 3_600_000 });
  await between(key.id);
  await server.ask("POST", `/jobs/${job.id}/run`);
  return (await server.rack.jobs.waitFor(job.id, { timeoutMs: 60_000 }))!;
}

describe("a job runs with the rights of then and now", () => {
  it("as its caller, where nothing changed", async () => {
    await using server = await openTestServer({ tools: [work] });
    expect(await later(server, async () => undefined)).toMatchObject({ state: "done" });
    expect(calls).toEqual([{ roles: ["curator", "emitter", "subscriber"], owner: undefined }]);
  });

  it("AH10: not at all after the key of its maker was revoked", async () => {
    await using server = await openTestServer({ tools: [work] });
    const job = await later(server, (id) => server.rack.keys.revoke(id, "test"));
    expect(job).toMatchObject({ state: "dead", error: { code: "SIGN_IN_ENDED", message: expect.stringContaining("revoked") } });
    expect(calls).toEqual([]);
  });

  it("AH10: without a role that its maker has lost since", async () => {
    await using server = await openTestServer({ tools: [work] });
    await later(server, async (id) => {
      await server.rack.keys.revoke(id, "test");
      await server.rack.keys.create({ agent: "anna", roles: ["emitter", "admin"], by: "test" });
      await server.rack.keys.revoke((await server.rack.keys.list()).find(({ roles }) => roles.includes("admin"))!.id, "test");
      await server.rack.keys.create({ agent: "anna", roles: ["emitter"], by: "test" });
    });
    expect(calls).toEqual([{ roles: ["emitter"], owner: undefined }]);
  });

  const made: Readonly<Record<string, (ask: TestServer["ask"], key: string) => Promise<unknown>>> = {
    "a call": (ask, key) => ask("POST", "/tools/work/call", { mode: "job", runAs: { agent: "anna" } }, { key }),
    async "a schedule"(ask, key) {
      await ask("POST", "/schedules", { id: "s", agent: "anna", tool: "work", everyMs: 3_600_000 }, { key });
      await ask("POST", "/schedules/s/run", {}, { key });
    },
    async "a trigger"(ask, key) {
      await ask("POST", "/triggers", { id: "t", agent: "anna", tool: "work", on: { schema_name: "note.v1" } }, { key });
      await ask("POST", "/breadcrumbs", { schema_name: "note.v1", title: "One", context: {} });
    },
  };

  it.each(Object.keys(made))("AH10: not as another agent for %s, once the one who acts as it is no admin any more", async (maker) => {
    await using server = await openTestServer({ tools: [work] });
    const { rack, ask } = server;
    calls = [];
    isBroken = true;
    afterThisTest(() => (isBroken = false));
    const key = await rack.keys.create({ agent: "root", roles: ["admin"], by: "test" });
    await rack.keys.create({ agent: "root", roles: ["emitter"], by: "test" });
    await made[maker]!(ask, key.secret);
    let jobs = await rack.jobs.list();
    await until(async () => (jobs = await rack.jobs.list()).length > 0, "No job was made.");
    const { id } = jobs[0]!;
    const outcome = () => rack.jobs.waitFor(id, { timeoutMs: 60_000 });
    expect(await outcome()).toMatchObject({
      state: "dead",
      caller: { agent: "anna", principal: "key root" },
      error: { message: "broken" },
    });
    const replay = () => ask("POST", `/jobs/${id}/replay`);
    await replay();
    await outcome();
    expect(calls).toHaveLength(2);
    await rack.keys.revoke(key.id, "test");
    await replay();
    const message = '"root" is not an admin any more, and may not act as "anna". The job did not run.';
    expect(await outcome()).toMatchObject({ state: "dead", error: { code: "SIGN_IN_ENDED", message } });
    expect(calls).toHaveLength(2);
  });

  it("AH10: as another agent, while any key of the one who acts as it is an admin's", async () => {
    const acting = { agent: "anna", principal: "key root", acting: true };
    const key = { id: "k", agent: "root", createdAt: 0, createdBy: "test" };
    const now = (...keys: ApiKey["roles"][]) =>
      presentCaller(acting, { list: async () => keys.map((roles) => ({ ...key, roles })), wereMade: () => true }, 1);
    expect(await now(["emitter"], ["admin"])).toEqual(acting);
    expect(await now(["curator"], ["owner"])).toBe('"root" is not an admin any more, and may not act as "anna".');
  });

  it("AH10: not as the owner, where the key of its maker has not that role any more", async () => {
    const key = { id: "k", agent: "anna", createdAt: 0, createdBy: "test" };
    const asOwner = { agent: "anna", principal: "key anna", roles: ["owner", "emitter"], owner: true } as const;
    const now = (roles: ApiKey["roles"]) => presentCaller(asOwner, { list: async () => [{ ...key, roles }], wereMade: () => true }, 1);
    expect(await now(["owner", "emitter"])).toEqual(asOwner);
    expect(await now(["emitter"])).toEqual({ agent: "anna", principal: "key anna", roles: ["emitter"] });
  });

  it("told at run time that the policy changed, or that the tool is gone", async () => {
    await using server = await openTestServer({ tools: [work] });
    const deny = () => server.rack.settings.set("policy.agents.anna", { tools: { deny: ["work"] } }, "test");
    expect(await later(server, deny)).toMatchObject({ state: "dead", error: { code: "TOOL_NOT_ALLOWED" } });
    await server.rack.settings.reset("policy.agents.anna", "test");
    const remove = async () => server.rack.registry.unregister("work");
    expect(await later(server, remove)).toMatchObject({ state: "dead", error: { code: "TOOL_NOT_FOUND" } });
    expect(calls).toEqual([]);
  });
});
