import { createAgent, createMemorySessions, type Message, type StoredMessage } from "@toolrack/agent";
import { createRegistry, defineTool } from "@toolrack/core";
import { sized } from "@toolrack/testkit/sized";
import { describe, expect, it } from "vitest";
import { callMemoryOf } from "../src/calls/call-memory.ts";
import { eventsOf, messagesOf, noted, scripted } from "./_agents.ts";
import { createWorld, type World } from "./_worlds.ts";

/** Every call has its answer, at its place, and the messages have no gap. */
function expectAnswered(stored: readonly StoredMessage[]): void {
  expect(stored.map(({ seq }) => seq)).toEqual(stored.map((_, index) => index + 1));
  for (const [index, { message }] of stored.entries()) {
    if (message.role !== "assistant" || message.calls.length === 0) continue;
    const next = stored[index + 1]?.message;
    expect(next?.role === "tool" && next.results.length).toBe(message.calls.length);
  }
}

async function resumeAlive(world: World): Promise<void> {
  await world.clock.advance(30_001); // the lease of the process that was killed
  const { agent } = world.start();
  const session = (await world.sessions.get("agent:worker:main")) ?? undefined;
  const isAsked = (session?.last ?? 0) > 0;
  const result = await (isAsked ? agent.resume("main") : agent.run("Go.", { session: "main" }));
  expect(result).toMatchObject({ status: "done", text: "All done." });
}

describe("a run that is killed", () => {
  it.each(["before", "after"] as const)(
    "AH25: goes on from every step, killed %s it: no call is without an answer, none is made twice unless it only reads",
    async (when) => {
      let killed = 0;
      for (let killAt = 1; ; killAt++) {
        const world = createWorld();
        const process = world.start(killAt, when);
        const first = await process.agent.run("Go.", { session: "main" });
        if (process.steps < killAt) break;
        killed += 1;
        await resumeAlive(world);
        const { id } = (await world.sessions.get("agent:worker:main"))!;
        const stored = await world.sessions.messages(id);
        expectAnswered(stored);
        const writes = [`${id}.2/1`, `${id}.2/3`].map((callId) => world.effects.get(callId) ?? 0);
        const answers = stored.flatMap(({ message }) => (message.role === "tool" ? message.results : []));
        for (const [index, count] of writes.entries()) {
          const answer = answers[index * 2]!;
          expect(count).toBeLessThanOrEqual(1);
          // What may not have happened is told as that.
          expect(answer.ok ? count : answer.code).toBe(answer.ok ? 1 : "OUTCOME_UNKNOWN");
        }
        expect(first.status === "done" || first.status === "failed").toBe(true);
      }
      expect(killed).toBeGreaterThan(20);
    },
  );

  it("AH19: makes no call again that may have done its work, and tells the model so", async () => {
    const sessions = createMemorySessions();
    const { id } = await sessions.create({ key: "agent:worker:main", agent: "worker", kind: "main", depth: 0 });
    const call = { id: "c1", name: "send", wireName: "send", input: {} };
    const before: readonly Message[] = [
      { role: "user", content: "Send it.", from: { kind: "person" } },
      { role: "assistant", content: "", calls: [call] },
    ];
    await sessions.append(id, before, { after: 0 });
    let sent = 0;
    const send = defineTool({ name: "send", description: "Sends.", inputSchema: { type: "object" }, handler: () => `sent ${++sent}` });
    const { model } = scripted(["I look first."]);
    const agent = createAgent({ name: "worker", instructions: "Work.", model, registry: [send], sessions, settle: async () => "unknown" });
    expect(await agent.resume("main")).toMatchObject({ status: "done", text: "I look first." });
    expect(sent).toBe(0);
    const answered = (await sessions.messages(id))[2]!.message;
    expect(answered).toMatchObject({
      role: "tool",
      results: [{ ok: false, code: "OUTCOME_UNKNOWN", error: expect.stringContaining("may have happened") }],
    });
  });

  it("AH25: goes on after being killed again and again", async () => {
    for (let round = 0; round < sized(5, 200); round++) {
      const world = createWorld();
      for (let life = 0; life < 6; life++) {
        const killAt = 1 + ((round * 7 + life * 5) % 23);
        const { agent } = world.start(killAt, (round + life) % 2 === 0 ? "before" : "after");
        const session = await world.sessions.get("agent:worker:main");
        await ((session?.last ?? 0) > 0 ? agent.resume("main") : agent.run("Go.", { session: "main" }));
        await world.clock.advance(30_001);
      }
      await resumeAlive(world);
      const { id } = (await world.sessions.get("agent:worker:main"))!;
      expectAnswered(await world.sessions.messages(id));
      for (const callId of [`${id}.2/1`, `${id}.2/3`]) expect(world.effects.get(callId) ?? 0).toBeLessThanOrEqual(1);
    }
  });

  it("makes no call twice and leaves none out where its writes failed for a while, without any log of calls", async () => {
    for (let killAt = 1; ; killAt++) {
      const world = createWorld({ hasLog: false });
      const process = world.start(killAt, "before");
      await process.agent.run("Go.", { session: "main" });
      if (process.steps < killAt) break;
      process.revive();
      await world.clock.advance(30_001);
      const session = await world.sessions.get("agent:worker:main");
      const result = await ((session?.last ?? 0) > 0 ? process.agent.resume("main") : process.agent.run("Go.", { session: "main" }));
      expect(result.status).toBe("done");
      const { id } = (await world.sessions.get("agent:worker:main"))!;
      const stored = await world.sessions.messages(id);
      expectAnswered(stored);
      const answers = stored.flatMap(({ message }) => (message.role === "tool" ? message.results : []));
      for (const { ok, meta } of answers.filter(({ meta: { tool } }) => tool === "write")) {
        // A handler that failed at one of the writes may have done its work before.
        expect(world.effects.get(meta.callId) ?? 0).toBeLessThanOrEqual(1);
        if (ok) expect(world.effects.get(meta.callId)).toBe(1);
      }
    }
  });

  it("is resumed by one of two that try at the same time", async () => {
    const world = createWorld();
    await world.start(6).agent.run("Go.", { session: "main" });
    await world.clock.advance(30_001);
    const results = await Promise.all([world.start().agent.resume("main"), world.start().agent.resume("main")]);
    expect(results.map(({ status, code }) => `${status} ${code}`).toSorted()).toEqual(["done answered", "failed busy"]);
    const { id } = (await world.sessions.get("agent:worker:main"))!;
    expect([...world.effects.values()]).toEqual([...world.effects.values()].map(() => 1));
    expectAnswered(await world.sessions.messages(id));
  });

  it("writes nothing more when another has taken its session over", async () => {
    const sessions = createMemorySessions();
    const helper = scripted(
      [
        async () => {
          const { id } = (await sessions.get("agent:helper:main"))!;
          // As if the lease had run out: its holder is known by its fence.
          const [lease] = leases;
          await sessions.release(lease!);
          await sessions.acquire(id, "another", 60_000);
          return "Late.";
        },
      ],
      [],
      { sessions: { ...sessions, acquire: async (...given) => noteLease(await sessions.acquire(...given)) } },
    );
    const leases: Exclude<Awaited<ReturnType<typeof sessions.acquire>>, undefined>[] = [];
    const noteLease = <Lease extends (typeof leases)[number] | undefined>(lease: Lease): Lease => {
      if (lease !== undefined) leases.push(lease);
      return lease;
    };
    const result = await helper.agent.run("x", { session: "main" });
    expect(result).toMatchObject({ status: "failed", code: "session", reason: expect.stringContaining("taken over") });
    expect((await messagesOf({ agent: { ...helper.agent, sessions } }, result.session)).map(({ role }) => role)).toEqual(["user"]);
  });
});

describe("a call that was cut off", () => {
  const said: readonly Message[] = [
    { role: "user", content: "x", from: { kind: "person" } },
    {
      role: "assistant",
      content: "",
      calls: ["ends", "reads", "repeats", "unsure"].map((name) => ({ id: name, name, wireName: name, input: {} })),
    },
  ];
  const tools = [
    noted("ends"),
    noted("reads", { annotations: { readOnly: true } }),
    noted("repeats", { annotations: { idempotent: true } }),
    noted("unsure"),
  ];

  it("is answered by the log, made again if it may be, and otherwise told as unknown", async () => {
    const asked: string[] = [];
    const helper = scripted(
      ["I looked."],
      tools.map(({ tool }) => tool),
      {
        settle: async (callId, tool) => {
          asked.push(`${callId.split(".")[1]} ${tool}`);
          return tool === "ends" ? { ok: true, content: "from the log", meta: { callId, tool, durationMs: 1 } } : "unknown";
        },
      },
    );
    const { id } = await helper.agent.sessions.create({ key: "agent:helper:main", agent: "helper", kind: "main" });
    await helper.agent.sessions.append(id, said, { after: 0 });
    const { events, result } = await eventsOf(helper.agent.resume(id));
    expect(result.status).toBe("done");
    expect(events[0]).toEqual({ type: "start", session: id, isResumed: true });
    expect(asked).toEqual(["2/1 ends", "2/2 reads", "2/3 repeats", "2/4 unsure"]);
    expect((await messagesOf(helper, id))[2]).toMatchObject({
      results: [
        { ok: true, content: "from the log" },
        { ok: true, content: "reads done" },
        { ok: true, content: "repeats done" },
        { ok: false, code: "OUTCOME_UNKNOWN", error: expect.stringContaining("It may have happened: look before you repeat it.") },
      ],
    });
    expect(tools.map(({ calls }) => calls.length)).toEqual([0, 1, 1, 0]);
  });

  it("of another process is unknown without a log", async () => {
    const write = noted("unsure");
    const helper = scripted(["ok"], [write.tool]);
    const { id } = await helper.agent.sessions.create({ key: "agent:helper:main", agent: "helper", kind: "main" });
    const calls = [{ id: "1", name: "unsure", wireName: "unsure", input: {} }];
    await helper.agent.sessions.append(id, [said[0]!, { role: "assistant", content: "", calls }], { after: 0 });
    await helper.agent.resume(id);
    expect(write.calls.length).toBe(0);
    expect((await messagesOf(helper, id))[2]).toMatchObject({ results: [{ code: "OUTCOME_UNKNOWN" }] });
  });
});

describe("a call that needs a person", () => {
  const pay = defineTool({
    name: "pay",
    description: "Pays.",
    inputSchema: { type: "object", properties: { amount: { type: "number" } } },
    async handler({ amount }, { ask }) {
      const answer = await ask({ message: `Pay ${amount}?` });
      return answer.action === "accept" ? `${amount} paid` : "not paid";
    },
  });

  function payer(registry: ReturnType<typeof createRegistry>, sessions = createMemorySessions()): ReturnType<typeof scripted> {
    const calls = [{ name: "look" }, { name: "pay", input: { amount: 5 } }, { name: "after" }];
    return scripted([{ calls }, "Paid."], registry, { sessions });
  }

  function registryWith(...tools: Parameters<ReturnType<typeof createRegistry>["register"]>[0][]): ReturnType<typeof createRegistry> {
    const registry = createRegistry();
    for (const tool of [pay, ...tools]) registry.register(tool);
    return registry;
  }

  it("lets the run wait with its other results kept; the answer of the person lets it go on", async () => {
    const [look, after] = [noted("look"), noted("after")];
    const helper = payer(registryWith(look.tool, after.tool));
    const { events, result } = await eventsOf(helper.agent.run("x"));
    expect(result).toMatchObject({
      status: "waiting",
      code: "approval",
      waiting: [{ tool: "pay", input: { amount: 5 }, approval: { reason: "Pay 5?" } }],
    });
    expect(events.at(-2)).toMatchObject({ type: "waiting", calls: result.waiting });
    expect(await helper.agent.sessions.get(result.session)).toMatchObject({ status: "waiting" });
    expect([look.calls.length, after.calls.length]).toEqual([1, 0]);

    expect(await helper.agent.resume(result.session)).toMatchObject({ status: "waiting" });
    const { digest } = result.waiting![0]!.approval;
    const answer = { digest, answer: { action: "accept" as const } };
    expect(await helper.agent.resume(result.session, { approvals: [answer] })).toMatchObject({ status: "done", text: "Paid." });
    expect([look.calls.length, after.calls.length]).toEqual([1, 1]);
    expect((await messagesOf(helper, result.session))[2]).toMatchObject({
      results: [{ content: "look done" }, { content: "5 paid" }, { content: "after done" }],
    });
  });

  it("leaves no answer in memory while it waits, however long, and finds them in the session when it is resumed here", async () => {
    const [look, after] = [noted("look", { annotations: { readOnly: true } }), noted("after")];
    const registry = registryWith(look.tool, after.tool);
    const memory = callMemoryOf(registry);
    const held = (session: string, seq: number): readonly number[] =>
      [1, 2, 3].filter((call) => memory.begun(`${session}.${seq}/${call}`) !== undefined);
    const helper = payer(registry);
    const { session, waiting } = await helper.agent.run("x");
    const { seq } = (await helper.agent.sessions.messages(session)).at(-1)!;
    expect([look.calls.length, held(session, seq)]).toEqual([1, []]);
    expect(await helper.agent.resume(session)).toMatchObject({ status: "waiting" });
    expect(held(session, seq)).toEqual([]);
    const approvals = [{ digest: waiting![0]!.approval.digest, answer: { action: "accept" as const } }];
    expect(await helper.agent.resume(session, { approvals })).toMatchObject({ status: "done", text: "Paid." });
    expect([look.calls.length, after.calls.length, held(session, seq)]).toEqual([1, 1, []]);
    expect((await messagesOf(helper, session))[2]).toMatchObject({
      results: [{ content: "look done" }, { content: "5 paid" }, { content: "after done" }],
    });
  });

  it("goes on in another process, too, and is told what the person declined", async () => {
    const sessions = createMemorySessions();
    const first = await payer(registryWith(noted("look").tool, noted("after").tool), sessions).agent.run("x");
    const look = noted("look");
    const other = scripted(["All right."], registryWith(look.tool, noted("after").tool), { sessions });
    const { digest } = first.waiting![0]!.approval;
    const approvals = [{ digest, answer: { action: "decline" as const } }];
    expect(await other.agent.resume(first.session, { approvals })).toMatchObject({ status: "done", text: "All right." });
    expect(look.calls.length).toBe(0);
    expect((await messagesOf(other, first.session))[2]).toMatchObject({
      results: [{ content: "look done" }, { content: "not paid" }, { ok: true }],
    });
  });

  it("keeps what is said meanwhile until it is answered", async () => {
    const helper = payer(registryWith(noted("look").tool, noted("after").tool));
    const { session, waiting } = await helper.agent.run("x", { session: "main" });
    expect(await helper.agent.run("Hurry!", { session: "main" })).toMatchObject({ status: "waiting" });
    const approvals = [{ digest: waiting![0]!.approval.digest, answer: { action: "accept" as const } }];
    expect(await helper.agent.resume(session, { approvals })).toMatchObject({ status: "done" });
    expect(helper.model.requests[1]?.messages.at(-1)).toMatchObject({ role: "user", content: "Hurry!", from: { kind: "person" } });
  });
});

describe("a run that is cut off in a process that lives on", () => {
  it("makes the call that it had not begun, without a log of calls", async () => {
    const sessions = createMemorySessions();
    let isCut = false;
    const store: typeof sessions = {
      ...sessions,
      async append(id, messages, options) {
        const last = await sessions.append(id, messages, options);
        if (isCut || messages[0]?.role !== "assistant") return last;
        isCut = true;
        throw new Error("The connection was lost after the write.");
      },
    };
    const send = noted("send");
    const { agent } = scripted([{ calls: [{ name: "send" }] }, "Sent."], [send.tool], { sessions: store });
    expect(await agent.run("x", { session: "main" })).toMatchObject({ status: "failed" });
    expect(await agent.resume("main")).toMatchObject({ status: "done", text: "Sent." });
    expect(send.calls).toHaveLength(1);
  });
});
