import { type Caller, createRegistry } from "@toolrack/core";
import { readPolicyConfig } from "@toolrack/core/policy";
import { createFakeClock, mockTool } from "@toolrack/core/testing";
import { describe, expect, it } from "vitest";
import { createMemorySessionsHost, createSessionsTools, type MemorySessionsOptions, type SessionRun } from "../../src/index.ts";
import { sessionsHostContract } from "../../src/testing/testing.ts";
import { openMemorySessions } from "./open-memory-sessions.ts";

// row: J6
describe("the tools for sessions, over sessions in memory", () => {
  for (const check of sessionsHostContract(openMemorySessions)) it(check.name, check.run);

  it("are the seven of the catalog", () => {
    const { registry } = openMemorySessions({});
    expect(registry.view({}).tools.map(({ name }) => name)).toEqual(
      "sessions_list sessions_history sessions_send sessions_spawn subagents session_status agents_list".split(" "),
    );
  });
});

describe("a session in memory", () => {
  const registryOf = (options: Partial<MemorySessionsOptions>) => {
    const registry = createRegistry({ policy: readPolicyConfig({ subagents: { tools: { alsoAllow: ["sessions_spawn"] } } }) });
    const seen: SessionRun[] = [];
    const sessions = createMemorySessionsHost({
      toolsOf: (caller) => registry.view(caller).tools,
      run(run) {
        seen.push(run);
        return "done";
      },
      agents: { main: { allowAgents: ["*"], model: "small" }, other: { model: "large" } },
      ...options,
    });
    for (const name of ["read", "write"]) registry.register(mockTool(name));
    for (const tool of createSessionsTools({ open: sessions.open })) registry.register(tool);
    return { registry, sessions, seen };
  };

  it("AH13: gives its child no tool that it lacks, by agent, model or a list of tools, and the child's calls are refused by the step inherited", async () => {
    const { registry, sessions, seen } = registryOf({ maxSpawnDepth: 2 });
    const { caller } = sessions.create({
      agent: "main",
      caller: { owner: true, channel: "telegram", inherited: ["read", "sessions_spawn"] },
    });
    const spawn = (who: Caller, input: object) => registry.invoke("sessions_spawn", { task: "Go.", ...input }, { caller: who });
    await spawn(caller, { agentId: "other", model: "huge" });
    const child = seen.at(-1)!.caller;
    expect(child).toMatchObject({ agent: "other", model: "huge", channel: "telegram", subagentDepth: 1, owner: false });
    expect(child.inherited).toEqual(["read", "sessions_spawn"]);
    const write = await registry.invoke("write", {}, { caller: child });
    expect(write).toMatchObject({ ok: false, code: "TOOL_NOT_ALLOWED", error: expect.stringContaining("inherited") });
    await spawn(child, { tools: ["re*"] });
    expect(seen.at(-1)!.caller).toMatchObject({ subagentDepth: 2, inherited: ["read"] });
    expect(await spawn(caller, { tools: ["write"] })).toMatchObject({
      data: { status: "forbidden", error: expect.stringContaining("write") },
    });
  });

  it("AH14: has no more spawned sessions running than the host permits for all together", async () => {
    const { registry, sessions } = registryOf({ maxRunning: 3, run: () => new Promise(() => {}) });
    const [one, other] = [sessions.create({ agent: "main" }), sessions.create({ agent: "other" })];
    const statuses: unknown[] = [];
    for (const { caller } of [one, other, one, other, one])
      statuses.push(
        ((await registry.invoke("sessions_spawn", { task: "Go." }, { caller })) as { data?: { status: unknown } }).data?.status,
      );
    expect(statuses).toEqual(["accepted", "accepted", "accepted", "forbidden", "forbidden"]);
    sessions.close();
  });

  it("that sends to one which sends back gets an answer or a timeout, and both go on", async () => {
    const clock = createFakeClock();
    const { registry, sessions } = registryOf({
      clock,
      sight: "agent",
      async run({ caller, messages }) {
        const sessionKey = caller.session === "agent:main:a" ? "agent:main:b" : "agent:main:a";
        const sent = await registry.invoke("sessions_send", { sessionKey, message: "ping", timeoutSeconds: 5 }, { caller });
        return `${messages().length} ${sent.ok ? (sent.data as { status: string }).status : sent.code}`;
      },
    });
    for (const key of ["agent:main:a", "agent:main:b"]) sessions.create({ agent: "main", key });
    const answered = sessions.say("agent:main:a", "Begin.");
    await clock.advance(6_000);
    expect(await answered).toMatch(/^1 (ok|timeout)$/);
    sessions.close();
  });

  it("reads between its turns what is sent to it, and answers every sender once", async () => {
    let arrived!: () => void;
    const ready = new Promise<void>((resolve) => (arrived = resolve));
    const { sessions } = registryOf({
      async run(run) {
        run.append({ role: "assistant", content: "I think.", calls: [] });
        await ready;
        return (
          run
            .takeInbox()
            .map(({ content }) => content)
            .join() || "nothing"
        );
      },
    });
    const { key } = sessions.create({ agent: "main" });
    const first = sessions.say(key, "one");
    const second = sessions.say(key, "two");
    arrived();
    expect(await Promise.all([first, second])).toEqual(["two", "two"]);
  });

  it("that is closed tells everybody who waits, and keeps nothing of a run that does not listen", async () => {
    let late!: SessionRun;
    const { sessions } = registryOf({ run: (run) => ((late = run), new Promise(() => {})) });
    const { key } = sessions.create({ agent: "main" });
    const waiting = [sessions.say(key, "one"), sessions.say(key, "two")];
    sessions.close();
    for (const answer of waiting) await expect(answer).rejects.toThrow("The program has closed its sessions.");
    late.append({ role: "assistant", content: "too late" });
    expect(late.messages().map(({ message }) => message.content)).toEqual(["one"]);
    await expect(sessions.say(key, "three")).rejects.toThrow("no session");
    expect(() => sessions.create({ agent: "main" })).toThrow("already a session");
  });

  it("that was spawned is forgotten a day after its end, and one that takes no more messages says so", async () => {
    const clock = createFakeClock(1_800_000_000_000);
    const { registry, sessions } = registryOf({ clock, run: ({ session }) => (session.kind === "main" ? new Promise(() => {}) : "done") });
    const { key, caller } = sessions.create({ agent: "main" });
    const other = sessions.create({ agent: "main", key: "agent:main:subagent:other", caller: { principal: "key ada" } });
    await registry.invoke("sessions_spawn", { task: "Go." }, { caller });
    const kept = async (): Promise<number> => (await (await sessions.open({ caller })).list({ limit: 10, offset: 0 })).length;
    await clock.advance(86_000_000);
    expect(await kept()).toBe(2);
    await clock.advance(1_000_000);
    expect(await kept()).toBe(1);
    const host = await sessions.open({ caller: { ...caller } });
    const send = () => host.send(key, "hi", { waitMs: 0, signal: new AbortController().signal });
    for (let sent = 0; sent < 999; sent++) await send();
    expect(await send()).toMatchObject({ status: "accepted" });
    expect(await send()).toMatchObject({ status: "error", error: expect.stringContaining("1000 messages already wait") });
    // Whoever calls from outside of all sessions sees those that it started.
    const outside = await sessions.open({ caller: { agent: "main", principal: "key ada" } });
    expect((await outside.list({ limit: 10, offset: 0 })).map((row) => row.key)).toEqual([other.key]);
    sessions.close();
  });

  it("changes its model among those that are there", async () => {
    const { registry, sessions, seen } = registryOf({ models: ["small", "large"] });
    const { key, caller } = sessions.create({ agent: "main" });
    const set = (model: string) => registry.invoke("session_status", { model }, { caller });
    expect(await set("huge")).toMatchObject({ ok: false, code: "INPUT_INVALID", error: expect.stringContaining("small, large") });
    expect(await set("large")).toMatchObject({ data: { model: "large", changedModel: true } });
    await sessions.say(key, "Hello.");
    expect(seen.at(-1)!.caller.model).toBe("large");
    expect(await registry.invoke("sessions_spawn", { task: "Go.", model: "huge" }, { caller })).toMatchObject({
      data: { status: "error" },
    });
  });

  it("counts what its runs used", async () => {
    const { registry, sessions } = registryOf({ run: () => ({ text: "ok", usage: { inputTokens: 10, outputTokens: 5, costUsd: 0.25 } }) });
    const { key, caller } = sessions.create({ agent: "main" });
    for (const text of ["one", "two"]) await sessions.say(key, text);
    expect(await registry.invoke("session_status", {}, { caller })).toMatchObject({
      data: { tokens: 30, inputTokens: 20, outputTokens: 10, costUsd: 0.5, card: expect.stringContaining("Cost: $0.5000") },
    });
  });
});
