import { defineTool } from "@toolrack/core";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { until } from "@toolrack/testkit/until";
import { describe, expect, it } from "vitest";
import type { RackConfig } from "../../../src/config/config.ts";
import type { AgentManager } from "../../../src/rack/agents/create-agents.ts";
import type { Rack } from "../../../src/rack/rack.ts";

const seen: unknown[] = [];
let release: (() => void) | undefined;

const inputSchema = { type: "object", properties: { text: { type: "string" } } } as const;
const tools = [
  defineTool({
    name: "look",
    description: "Looks who calls.",
    inputSchema,
    metadata: { annotations: { readOnly: true } },
    handler: ({ text }, { caller }) => {
      seen.push(caller);
      return `saw ${text ?? "nothing"}`;
    },
  }),
  defineTool({ name: "pay", description: "Pays.", inputSchema, handler: () => "paid" }),
  defineTool({
    name: "hold",
    description: "Waits until it is released.",
    inputSchema,
    metadata: { annotations: { idempotent: true } },
    handler: (_, { signal }) =>
      new Promise<string>((resolve, reject) => {
        release = () => resolve("released");
        signal.addEventListener("abort", () => reject(signal.reason as Error));
      }),
  }),
];

const config: RackConfig = {
  store: { memory: true },
  agents: {
    helper: { instructions: "Help.", model: "scripted", tools: { allow: ["look", "pay", "hold"] }, description: "Helps." },
    narrow: { instructions: "Help.", model: "scripted", tools: { allow: ["look"] } },
    boss: { instructions: "Ask others.", model: "scripted", tools: { allow: ["helper", "boss", "look"] } },
    short: { instructions: "Help.", model: "scripted", budget: { turns: 2 }, tools: { allow: ["look"] } },
  },
  policy: { tools: { ask: ["pay"] } },
};

const anna = { agent: "anna", principal: "test anna" };
const from = { kind: "agent", id: "test anna" } as const;
const open = (): Promise<Rack> => openTestRack({ config, tools });

async function messagesOf(rack: Rack, session: string): Promise<readonly string[]> {
  return (await rack.agents.sessions.messages(session)).map(({ message }) => message.role);
}

describe("an agent on a server", () => {
  it("answers, calls tools with its own name and no right of whoever began it, and leaves all of it on record", async () => {
    const rack = await open();
    seen.length = 0;
    const run = await rack.agents.start("helper", { input: 'call look {"text":"a"}', caller: { ...anna, owner: true }, from });
    expect(await run.result).toMatchObject({ status: "done", text: "look answered: saw a" });
    expect(seen).toMatchObject([{ agent: "helper", principal: "test anna", owner: false, session: run.session, model: "scripted" }]);
    expect(await messagesOf(rack, run.session)).toEqual(["user", "assistant", "tool", "assistant"]);
    const [first] = await rack.agents.sessions.messages(run.session);
    expect(first!.message).toMatchObject({ from });
    expect((await rack.calls.list())[0]).toMatchObject({ tool: "look", ok: true, caller: { agent: "helper" } });
    expect(rack.agents.running(run.session)).toBeUndefined();
  });

  it("is an owner only where a person who is one began the run", async () => {
    const rack = await open();
    seen.length = 0;
    const person = { kind: "person" } as const;
    const run = await rack.agents.start("helper", { input: "call look", caller: { agent: "owner", owner: true }, from: person });
    await run.result;
    expect(seen).toMatchObject([{ owner: true }]);
  });

  it("has the tools that its configuration allows, and is run by those who may call it", async () => {
    const rack = await openTestRack({
      config: { ...config, policy: { ...config.policy, agents: { mallory: { tools: { deny: ["narrow"] } } } } },
      tools,
    });
    const run = await rack.agents.start("narrow", { input: "call pay", caller: anna, from });
    expect((await run.result).text).toMatch(/^pay failed: .*agents\.narrow/);
    const refused = rack.agents.start("narrow", { input: "x", caller: { agent: "mallory" }, from });
    await expect(refused).rejects.toMatchObject({ code: "TOOL_NOT_ALLOWED" });
    await expect(rack.agents.start("nobody", { input: "x", caller: anna, from })).rejects.toMatchObject({ code: "TOOL_NOT_FOUND" });
  });

  it("waits for a person without running, and goes on with the answer, once", async () => {
    const rack = await open();
    const run = await rack.agents.start("helper", { input: "call pay", caller: anna, from });
    expect(await run.result).toMatchObject({ status: "waiting", waiting: [{ tool: "pay" }] });
    expect(await rack.agents.sessions.get(run.session)).toMatchObject({ status: "waiting" });
    const [question] = await rack.approvals.list();
    expect(question).toMatchObject({ tool: "pay", caller: { agent: "helper", session: run.session } });
    await rack.approvals.decide(question!.id, { approved: true, by: "owner" });
    const ended = await rack.agents.settled(run.session, AbortSignal.timeout(5_000));
    expect(ended).toMatchObject({ status: "idle" });
    const last = (await rack.agents.sessions.messages(run.session)).at(-1)!.message;
    expect(last).toMatchObject({ role: "assistant", content: "pay answered: paid" });
    expect((await rack.calls.list({ tool: "pay" })).filter(({ ok }) => ok)).toHaveLength(1);
  });

  it("tells the model that a person denied the call", async () => {
    const rack = await open();
    const run = await rack.agents.start("helper", { input: "call pay", caller: anna, from });
    await run.result;
    const [question] = await rack.approvals.list();
    await rack.approvals.decide(question!.id, { approved: false, reason: "Not today", by: "owner" });
    await rack.agents.settled(run.session, AbortSignal.timeout(5_000));
    const last = (await rack.agents.sessions.messages(run.session)).at(-1)!.message;
    expect(last).toMatchObject({ content: expect.stringContaining("Not today") });
  });

  it("runs a session once at a time, reads what it is told between turns, and is woken by what comes later", async () => {
    const rack = await open();
    const begin = { input: "call hold\ncall look", session: "notes", caller: anna, from };
    const run = await rack.agents.start("helper", begin);
    expect(run.key).toBe("agent:helper:notes");
    await until(() => release !== undefined);
    await expect(rack.agents.start("helper", begin)).rejects.toMatchObject({ code: "BLOCKED" });
    await rack.agents.send(run.session, "Also this.", from);
    release!();
    await rack.agents.settled(run.session, AbortSignal.timeout(5_000));
    const said = (await rack.agents.sessions.messages(run.session)).flatMap(({ message }) =>
      message.role === "user" ? [message.content] : [],
    );
    expect(said).toEqual(["call hold\ncall look", "Also this."]);
    const before = (await rack.agents.sessions.get(run.session))!.last;
    await rack.agents.send(run.session, "And later.", from);
    await until(async () => (await rack.agents.sessions.get(run.session))!.last >= before + 2);
  });

  it("of somebody else is as if it did not exist, whatever its name", async () => {
    const rack = await open();
    const run = await rack.agents.start("helper", { input: "x", session: "mine", caller: anna, from });
    await run.result;
    const bob = { agent: "bob", principal: "test bob" };
    for (const session of [run.session, run.key, "mine"])
      await expect(rack.agents.start("helper", { input: "x", session, caller: bob, from })).rejects.toMatchObject({ code: "BLOCKED" });
  });

  it("is cancelled with its call, and goes on with a message", async () => {
    const rack = await open();
    release = undefined;
    const run = await rack.agents.start("helper", { input: "call hold", caller: anna, from });
    await until(() => release !== undefined);
    await rack.agents.cancel(run.session, "Enough.");
    expect(await run.result).toMatchObject({ status: "stopped", code: "cancelled" });
    await until(() => rack.agents.running(run.session) === undefined);
    await rack.agents.send(run.session, "Go on.", from);
    const ended = await rack.agents.settled(run.session, AbortSignal.timeout(5_000));
    expect(ended).toMatchObject({ status: "idle", inbox: 0 });
  });

  it("goes on no more once the key of whoever began it is revoked", async () => {
    const rack = await open();
    const key = await rack.keys.create({ agent: "anna", roles: [], by: "owner" });
    const run = await rack.agents.start("helper", { input: "x", caller: { agent: "anna", principal: "key anna" }, from });
    await run.result;
    await rack.keys.revoke(key.id, "owner");
    await rack.agents.send(run.session, "call look", { kind: "person" });
    await until(async () => (await rack.agents.sessions.get(run.session))!.status === "ended");
    expect(await messagesOf(rack, run.session)).toEqual(["user", "assistant"]);
  });

  it("does not run for a beginner that somebody wrote into the store", async () => {
    const rack = await open();
    const run = await rack.agents.start("helper", { input: "x", caller: anna, from });
    await run.result;
    const { sessions } = rack.agents;
    const { state } = (await sessions.get(run.session))!;
    const other = await rack.agents.start("helper", { input: "x", caller: { agent: "owner", owner: true }, from: { kind: "person" } });
    await other.result;
    const stolen = (await sessions.get(other.session))!.state!["server"] as object;
    await sessions.update(run.session, { state: { ...state, server: stolen } });
    expect(rack.agents.starterOf((await sessions.get(run.session))!)).toBeUndefined();
    await rack.agents.send(run.session, "call look", { kind: "person" });
    expect(await messagesOf(rack, run.session)).toEqual(["user", "assistant"]);
  });

  it("ends by its budget, and says so", async () => {
    const rack = await open();
    const run = await rack.agents.start("short", { input: "call look\ncall look\ncall look\ncall look", caller: anna, from });
    expect(await run.result).toMatchObject({ status: "stopped", code: "budget" });
  });

  it("AH15: takes no more messages of agents after many runs without a person, so that two who write to each other end", async () => {
    const rack = await open();
    const run = await rack.agents.start("helper", { input: "x", caller: anna, from });
    await run.result;
    const other = { kind: "session", id: "agent:other:main" } as const;
    let refusal: unknown;
    for (let sent = 0; sent < 100 && refusal === undefined; sent++) {
      await rack.agents.send(run.session, "ping", other).catch((error: unknown) => void (refusal = error));
      await rack.agents.settled(run.session, AbortSignal.timeout(5_000));
    }
    expect(refusal).toMatchObject({ code: "BUDGET_EXCEEDED" });
    await rack.agents.send(run.session, "A person.", { kind: "person" });
  });
});

describe("an agent as a tool", () => {
  it("is called like any other tool, and gives its answer", async () => {
    const rack = await open();
    const result = await rack.registry.invoke("helper", { task: 'call look {"text":"x"}' }, { caller: anna });
    expect(result).toMatchObject({ ok: true, content: "look answered: saw x", data: { status: "done" } });
    expect(await rack.agents.sessions.list({ status: "ended" })).toMatchObject([{ agent: "helper", kind: "subagent", depth: 1 }]);
  });

  it("can be called by another agent, to a limited depth", async () => {
    const rack = await open();
    const run = await rack.agents.start("boss", { input: 'call helper {"task":"call look"}', caller: anna, from });
    expect((await run.result).text).toBe("helper answered: look answered: saw nothing");
    const nested = (depth: number): string => `call boss ${JSON.stringify({ task: depth === 0 ? "call look" : nested(depth - 1) })}`;
    const deep = await rack.agents.start("boss", { input: nested(4), caller: anna, from });
    expect((await deep.result).text).toContain("Agents may call agents 3 deep");
    expect((await rack.agents.sessions.list({ agent: "boss" })).length).toBeLessThan(6);
  });

  it("is there as soon as its configuration is, and gone with it", async () => {
    const rack = await openTestRack({ config: { store: { memory: true } }, tools });
    expect(rack.registry.has("later")).toBe(false);
    await rack.settings.set("agents.later", { instructions: "Help.", model: "scripted" }, "owner");
    await until(() => rack.registry.has("later"));
    await rack.settings.reset("agents.later", "owner");
    await until(() => !rack.registry.has("later"));
  });
});

describe("a session whose server stops", () => {
  it("is gone on with by the next one, and its calls are made once", async () => {
    const folder = temporaryFolder();
    const shared: RackConfig = { ...config, store: { sqlite: "x.db" } };
    release = undefined;
    const first = await openTestRack({ folder, config: shared, tools });
    const run = await first.agents.start("helper", { input: "call hold\ncall look", caller: anna, from });
    await until(() => release !== undefined);
    await first.close({ graceMs: 0 });
    release = undefined;
    const second = await openTestRack({ folder, config: shared, tools });
    const ended = await second.agents.settled(run.session, AbortSignal.timeout(10_000));
    expect(ended).toMatchObject({ status: "idle" });
    const roles = await messagesOf(second, run.session);
    expect(roles.at(-1)).toBe("assistant");
  });
});

describe("sessions that nobody runs any more", () => {
  it("are all gone on with, however many others there are that no server can run", async () => {
    const folder = temporaryFolder();
    const shared: RackConfig = { ...config, store: { sqlite: "x.db" } };
    release = undefined;
    const first = await openTestRack({ folder, config: shared, tools });
    const run = await first.agents.start("helper", { input: "call hold\ncall look", caller: anna, from });
    await until(() => release !== undefined);
    await first.close({ graceMs: 0 });
    const without = await openTestRack({ folder, config: { store: shared.store! }, tools });
    for (let index = 0; index < 200; index++) {
      const { id } = await without.agents.sessions.create({ key: `agent:gone:${index}`, agent: "gone", kind: "other" });
      await without.agents.sessions.update(id, { status: "running" });
    }
    await without.close({ graceMs: 0 });
    const last = await openTestRack({ folder, config: shared, tools });
    const { sweep } = last.agents as AgentManager;
    await until(async () => {
      await sweep();
      return (await messagesOf(last, run.session)).at(-1) === "assistant" && last.agents.running(run.session) === undefined;
    });
  });
});

describe("a run that is resumed", () => {
  it("is the owner's only where the owner asks for it, as a person", async () => {
    const rack = await open();
    const owner = { agent: "owner", principal: "owner", owner: true };
    const admin = { agent: "admin", principal: "key admin" };
    const person = { kind: "person" } as const;
    const by = [
      [{ caller: owner, from: person }, true],
      [{ caller: owner, from: { kind: "agent" } }, false],
      [{ caller: admin, from: person }, false],
    ] as const;
    for (const [request, isOwner] of by) {
      release = undefined;
      const run = await rack.agents.start("helper", { input: "call hold\ncall look", caller: owner, from: person });
      await until(() => release !== undefined);
      await rack.agents.cancel(run.session);
      await until(() => rack.agents.running(run.session) === undefined);
      seen.length = 0;
      const resumed = await rack.agents.resume(run.session, request);
      expect(await resumed.result).toMatchObject({ status: "done" });
      expect(seen).toMatchObject([{ owner: isOwner }]);
    }
  });
});
