import { defineTool } from "@toolrack/core";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { serverOver } from "@toolrack/testkit/test-server";
import { until } from "@toolrack/testkit/until";
import { describe, expect, it } from "vitest";
import type { RackConfig } from "../../../src/config/config.ts";
import type { Rack } from "../../../src/rack/rack.ts";
import { type ChatReply, startChatModel } from "./_chat-model.ts";

const inputSchema = { type: "object", properties: {} } as const;
const tools = ["look", "pay"].map((name) => defineTool({ name, description: `Does ${name}.`, inputSchema, handler: () => `${name} done` }));
const helper = { instructions: "Help.", model: "scripted", tools: { allow: ["look", "pay"] } } as const;
const from = { kind: "agent" } as const;

function open(agents: RackConfig["agents"], policy: RackConfig["policy"] = {}): Promise<Rack> {
  return openTestRack({ config: { store: { memory: true }, agents, policy }, tools });
}

describe("an agent that is given a task", () => {
  const guest = { agents: { guest: { tools: { allow: ["helper", "look"] } } } };
  const caller = { agent: "guest", principal: "test guest" };

  it("AH13: has no tool that its caller lacks, as a tool and as a run, and the refusal names the step", async () => {
    const rack = await open({ helper }, guest);
    const called = await rack.registry.invoke("helper", { task: "call look\ncall pay" }, { caller });
    expect(called).toMatchObject({ ok: true, content: expect.stringMatching(/^look answered: look done\npay failed: .*inherited/) });
    const run = await rack.agents.start("helper", { input: "call pay", caller, from });
    expect((await run.result).text).toMatch(/^pay failed: .*inherited/);
    expect(await rack.calls.list({ tool: "pay" })).toMatchObject([{ ok: false }, { ok: false }]);
  });

  it("AH13: has none either when it goes on later, and when another agent passes the task on", async () => {
    const boss = { ...helper, tools: { allow: ["helper", "look", "pay"] } };
    const rack = await open({ helper, boss }, { agents: { guest: { tools: { allow: ["boss", "helper", "look"] } } } });
    const passed = await rack.registry.invoke("boss", { task: `call helper ${JSON.stringify({ task: "call pay" })}` }, { caller });
    expect(passed).toMatchObject({ ok: true, content: expect.stringMatching(/^helper answered: pay failed: .*inherited/) });
    const run = await rack.agents.start("helper", { input: "call look", caller, from });
    await run.result;
    const before = (await rack.agents.sessions.get(run.session))!.last;
    await rack.agents.send(run.session, "call pay", { kind: "person" });
    await until(async () => (await rack.agents.sessions.get(run.session))!.last >= before + 4);
    const last = (await rack.agents.sessions.messages(run.session)).at(-1)!.message;
    expect(last).toMatchObject({ content: expect.stringMatching(/^pay failed: .*inherited/) });
  });

  it("is the owner's in what the owner asked for, and not in what it is woken by later", async () => {
    const seen: unknown[] = [];
    const who = defineTool({
      name: "who",
      description: "Tells.",
      inputSchema,
      handler: (_, context) => `${seen.push(context.caller.owner)}`,
    });
    const agents = { helper: { ...helper, tools: { allow: ["who"] } } };
    const rack = await openTestRack({ config: { store: { memory: true }, agents }, tools: [who] });
    const owner = { agent: "local", principal: "local", owner: true };
    const run = await rack.agents.start("helper", { input: "call who", caller: owner, from: { kind: "person" } });
    await run.result;
    await until(async () => (await rack.agents.sessions.get(run.session))!.status === "idle");
    await rack.agents.send(run.session, "call who", { kind: "session", id: "agent:other:main" });
    await until(() => seen.length === 2);
    expect(seen).toEqual([true, false]);
  });

  it("leaves a long list in the log as its length and a hash", async () => {
    const many = Array.from({ length: 30 }, (_, index) =>
      defineTool({ name: `t${index}`, description: "Acts.", inputSchema, handler: () => "" }),
    );
    const names = many.map(({ name }) => name);
    const rack = await openTestRack({
      config: {
        store: { memory: true },
        agents: { helper: { ...helper, tools: { allow: [...names, "pay"] } } },
        policy: { agents: { guest: { tools: { allow: ["helper", ...names] } } } },
      },
      tools: [...tools, ...many],
    });
    await rack.registry.invoke("helper", { task: "call t1" }, { caller });
    const [stored] = await rack.calls.list({ tool: "t1" });
    expect(stored).toMatchObject({ ok: true, caller: { inherited: [expect.stringMatching(/^30 tools, sha256 [0-9a-f]{16}$/)] } });
  });

  it("has the tools that its lists name, and asks a person for those that must be asked for", async () => {
    const rack = await open({ helper: { ...helper, tools: { allow: ["look"], alsoAllow: ["pay"], ask: ["pay"] } } });
    const view = rack.registry.view({ agent: "helper" });
    expect(view.tools.map(({ name }) => name)).toEqual(["look", "pay"]);
    const asked = rack.agents.start("helper", { input: "call look\ncall pay", caller: { agent: "anna", principal: "test anna" }, from });
    expect(await (await asked).result).toMatchObject({ status: "waiting", reason: expect.stringContaining('"pay"') });
  });

  it("keeps its own where its configuration says so, and all of them for whoever has them, too", async () => {
    const own = await open({ helper: { ...helper, ownRights: true } }, guest);
    expect(await own.registry.invoke("helper", { task: "call pay" }, { caller })).toMatchObject({ content: "pay answered: pay done" });
    const rack = await open({ helper }, guest);
    const other = { agent: "anna", principal: "test anna" };
    expect(await rack.registry.invoke("helper", { task: "call pay" }, { caller: other })).toMatchObject({
      content: "pay answered: pay done",
    });
  });
});

describe("a run that is under way", () => {
  /** A model that calls `look` until it is let go. */
  async function begin(config: RackConfig = {}) {
    const asked: (() => void)[] = [];
    const model = await startChatModel(
      () => new Promise<ChatReply>((resolve) => asked.push(() => resolve({ calls: [{ name: "look", input: {} }] }))),
    );
    const agents = { helper: { ...helper, model: model.model("m") } };
    const rack = await openTestRack({ config: { store: { memory: true }, agents, ...config }, tools });
    const key = await rack.keys.create({ agent: "anna", roles: [], by: "owner" });
    const run = await rack.agents.start("helper", { input: "x", caller: { agent: "anna", principal: "key anna" }, from });
    await until(() => asked.length === 1);
    return { rack, key, run, turn: () => asked.shift()!(), asked };
  }

  it("ends before its next turn once the key of whoever began it is revoked", async () => {
    const { rack, key, run, turn, asked } = await begin();
    turn();
    await until(() => asked.length === 1);
    await rack.keys.revoke(key.id, "owner");
    turn();
    expect(await run.result).toMatchObject({ status: "stopped", code: "cancelled", reason: expect.stringContaining("was revoked") });
    expect(asked).toHaveLength(0);
    const roles = (await rack.agents.sessions.messages(run.session)).map(({ message }) => message.role);
    expect(roles).toEqual(["user", "assistant", "tool", "assistant", "tool"]);
  });

  it("AH10: ends before its next turn, and what it began ends too, once the admin who acts as another agent is none any more", async () => {
    const asked: ((reply: ChatReply) => void)[] = [];
    const model = await startChatModel(() => new Promise<ChatReply>((resolve) => asked.push(resolve)));
    const shared = { ...helper, model: model.model("m") };
    const agents = { helper: { ...shared, tools: { allow: ["look", "worker"] } }, worker: { ...shared, answer: "job" } } as const;
    const rack = await openTestRack({ config: { store: { memory: true }, agents, policy: { unknownAgents: "allow" } }, tools });
    const admin = await rack.keys.create({ agent: "root", roles: ["admin"], by: "owner" });
    await rack.keys.create({ agent: "root", roles: ["emitter"], by: "owner" });
    const call = { input: { task: "all" }, runAs: { agent: "anna" }, mode: "job" };
    expect(await serverOver(rack).ask("POST", "/tools/helper/call", call, { key: admin.secret })).toMatchObject({ status: 202 });
    await until(() => asked.length === 1);
    asked.shift()!({ calls: [{ name: "worker", input: { task: "a part" } }] });
    await until(() => asked.length === 2);
    await rack.keys.revoke(admin.id, "owner");
    for (const answer of asked.splice(0)) answer({ calls: [{ name: "look", input: {} }] });
    const outcomeOf = async (tool: string) => {
      const job = (await rack.jobs.list()).find(({ subject }) => subject === tool)!;
      return rack.jobs.waitFor(job.id, { timeoutMs: 60_000 });
    };
    const isNoAdmin = expect.stringContaining('"root" is not an admin any more, and may not act as "');
    for (const tool of ["helper", "worker"]) expect(await outcomeOf(tool)).toMatchObject({ state: "done", result: { content: isNoAdmin } });
    expect(asked).toHaveLength(0);
  });

  it("ends before its next turn once whoever began it may use the agent no more, and once the agent is gone", async () => {
    const { rack, run, turn } = await begin();
    await rack.settings.set("policy.agents.anna", { tools: { deny: ["helper"] } }, "owner");
    turn();
    expect(await run.result).toMatchObject({ code: "cancelled", reason: expect.stringContaining("helper") });
    const second = await begin();
    await second.rack.settings.set("agents.helper", { description: "Runs nowhere." }, "owner");
    second.turn();
    expect(await second.run.result).toMatchObject({ code: "cancelled", reason: expect.stringContaining("runs here no more") });
  });

  it("AH13: ends likewise where whoever began it has fewer tools than the agent", async () => {
    const { rack, run, turn, asked } = await begin({ policy: { agents: { anna: { tools: { allow: ["helper", "look"] } } } } });
    await rack.settings.set("policy.agents.anna", { tools: { allow: ["look"] } }, "owner");
    turn();
    expect(await run.result).toMatchObject({ code: "cancelled", reason: expect.stringContaining("helper") });
    expect(asked).toHaveLength(0);
  });
});

describe("a session whose agent was taken away from whoever began it", () => {
  const caller = { agent: "anna", principal: "test anna" };

  const deny = { tools: { deny: ["helper"] } };

  it("AH13: goes on neither when it is told something nor when it is resumed", async () => {
    const rack = await open({ helper: { ...helper, ownRights: true } });
    const run = await rack.agents.start("helper", { input: "call look", caller, from });
    await run.result;
    await until(() => rack.agents.running(run.session) === undefined);
    await rack.settings.set("policy.agents.anna", deny, "owner");
    await rack.agents.send(run.session, "call pay", { kind: "person" });
    await until(async () => (await rack.agents.sessions.get(run.session))!.status === "ended");
    expect((await rack.agents.sessions.get(run.session))!.result).toMatchObject({
      status: "failed",
      text: expect.stringContaining("helper"),
    });
    const other = await open({ helper: { ...helper, ownRights: true, budget: { turns: 1 } } });
    const stopped = await other.agents.start("helper", { input: "call look\ncall pay", caller, from });
    expect(await stopped.result).toMatchObject({ status: "stopped" });
    await until(() => other.agents.running(stopped.session) === undefined);
    await other.settings.set("policy.agents.anna", deny, "owner");
    await expect(other.agents.resume(stopped.session, { caller, from })).rejects.toThrow(/was not resumed. .*helper/);
    for (const one of [rack, other]) expect(await one.calls.list({ tool: "pay" })).toEqual([]);
  });

  it.each<[string, object, object, RegExp]>([
    ["makes no call of what the first caller lost", {}, {}, /^pay failed: .*inherited/],
    ["makes none either where a job called it", {}, { answer: "job" }, /^pay failed: .*inherited/],
    ["makes it where its agent has rights of its own", {}, { ownRights: true }, /^pay answered: pay done/],
    ["makes it where the agent between has rights of its own", { ownRights: true }, {}, /^pay answered: pay done/],
  ])("AH13: that waits for a person two agents deep %s", async (_, ofBoss, ofHelper, answer) => {
    const agents = {
      helper: { ...helper, ...ofHelper },
      boss: { ...helper, ...ofBoss, tools: { allow: ["helper", "look", "pay"] } },
    };
    const rack = await open(agents, { tools: { ask: ["pay"] } });
    await rack.agents.start("boss", { input: `call helper ${JSON.stringify({ task: "call pay" })}`, caller, from });
    await until(async () => (await rack.approvals.list()).length === 1);
    const of = async (agent: string) => (await rack.agents.sessions.list({ agent }))[0]!;
    await until(async () => (await of("helper")).status === "waiting");
    await rack.settings.set("policy.agents.anna", { tools: { deny: ["pay"] } }, "owner");
    const [question] = await rack.approvals.list();
    await rack.approvals.decide(question!.id, { approved: true, by: "owner" });
    await until(async () => (await of("helper")).status === "ended");
    expect((await of("helper")).result).toMatchObject({ status: "done", text: expect.stringMatching(answer) });
  });

  it("AH13: is not cut by the session of somebody else that its caller names", async () => {
    const policy = { tools: { ask: ["pay"] }, agents: { guest: { tools: { allow: ["helper", "look"] } } } };
    const rack = await open({ helper }, policy);
    const guest = await rack.agents.start("helper", { input: "call look", caller: { agent: "guest", principal: "test guest" }, from });
    await guest.result;
    const run = await rack.agents.start("helper", { input: "call pay", caller: { ...caller, session: guest.session }, from });
    expect(await run.result).toMatchObject({ status: "waiting" });
    const [question] = await rack.approvals.list();
    await rack.approvals.decide(question!.id, { approved: true, by: "owner" });
    await until(async () => (await rack.calls.list({ tool: "pay" })).some(({ ok }) => ok));
  });

  it("AH13: does not make the call that a person approves", async () => {
    const rack = await open({ helper: { ...helper, ownRights: true } }, { tools: { ask: ["pay"] } });
    const run = await rack.agents.start("helper", { input: "call pay", caller, from });
    expect(await run.result).toMatchObject({ status: "waiting" });
    await rack.settings.set("policy.agents.anna", deny, "owner");
    const [question] = await rack.approvals.list();
    await rack.approvals.decide(question!.id, { approved: true, by: "owner" });
    await until(async () => (await rack.agents.sessions.get(run.session))!.status === "ended");
    expect((await rack.calls.list({ tool: "pay" })).filter(({ ok }) => ok)).toEqual([]);
  });
});
