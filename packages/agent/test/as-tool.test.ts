import { agentTool, createJobTool, createMemoryJobs, createMemorySessions } from "@toolrack/agent";
import { createRegistry, defineTool, type ToolDefinition } from "@toolrack/core";
import { until } from "@toolrack/testkit/until";
import { describe, expect, it } from "vitest";
import { eventsOf, messagesOf, noted, scripted } from "./_agents.ts";

const ask = (name: string, task = "Find it."): { readonly calls: readonly { readonly name: string; readonly input: unknown }[] } => ({
  calls: [{ name, input: { task } }],
});

describe("an agent as a tool", () => {
  it("works in a session of its own, below that of the run that calls it, and gives its answer", async () => {
    const sessions = createMemorySessions();
    const finder = scripted([{ calls: [{ name: "look" }] }, "It is in the attic."], [noted("look").tool], { name: "finder", sessions });
    const helper = scripted([ask("finder"), "Attic."], [agentTool(finder.agent, { description: "Finds things." })], { sessions });
    const { events, result } = await eventsOf(helper.agent.run("Where is it?"));
    expect(result).toMatchObject({ status: "done", text: "Attic.", usage: { turns: 4, calls: 2 } });
    expect((await messagesOf(helper, result.session))[2]).toMatchObject({ results: [{ ok: true, content: "It is in the attic." }] });
    const [child] = await sessions.list({ parent: result.session });
    expect(child).toMatchObject({ agent: "finder", kind: "subagent", depth: 1, usage: { turns: 2, calls: 1 } });
    expect((await sessions.messages(child!.id))[0]?.message).toMatchObject({
      content: "Find it.",
      from: { kind: "agent", id: (await sessions.get(result.session))!.key },
    });
    expect(events).toContainEqual(expect.objectContaining({ type: "progress", progress: { message: "finder calls look." } }));
  });

  it("draws from the budget of the run that calls it", async () => {
    const finder = scripted(
      Array.from({ length: 30 }, () => ({ calls: [{ name: "look" }] })),
      [noted("look").tool],
      { name: "finder" },
    );
    const helper = scripted([ask("finder"), "Not found."], [agentTool(finder.agent)], { budget: { turns: 6 } });
    const result = await helper.agent.run("x");
    expect(result).toMatchObject({ status: "stopped", code: "budget", text: "Not found." });
    expect(finder.model.requests.length).toBe(5);
    expect(finder.model.requests.at(-1)?.choice).toBe("none");
    expect((await messagesOf(helper, result.session))[2]).toMatchObject({
      results: [{ ok: true, content: expect.stringContaining("This is not complete. The 6 turns of this run are used up.") }],
    });
  });

  it("is owner only where the run that calls it is, and never is somebody else", async () => {
    const callers: unknown[] = [];
    const who = defineTool({
      name: "who",
      description: "Tells who calls.",
      inputSchema: { type: "object" },
      handler: (_, { caller }) => (callers.push(caller), ""),
    });
    const finder = scripted([{ calls: [{ name: "who" }] }, "ok"], [who], { name: "finder", caller: { owner: true } });
    await scripted([ask("finder"), "ok"], [agentTool(finder.agent)], {
      caller: { principal: "key ann", tenant: "t", acting: true },
    }).agent.run("x");
    expect(callers).toEqual([
      expect.objectContaining({ agent: "finder", owner: false, principal: "key ann", tenant: "t", acting: true, subagentDepth: 1 }),
    ]);
  });

  it("AH15: that calls back without end is ended by the budget they share, and both are told", async () => {
    const [registryA, registryB] = [createRegistry(), createRegistry()];
    const endless = (name: string) => Array.from({ length: 100 }, () => ask(name));
    const a = scripted(endless("b"), registryA, { name: "a", budget: { turns: 12 } });
    const b = scripted(endless("a"), registryB, { name: "b" });
    registryA.register(agentTool(b.agent, { maxDepth: 50 }));
    registryB.register(agentTool(a.agent, { maxDepth: 50 }));
    const result = await a.agent.run("Ping.");
    expect(result).toMatchObject({ status: "stopped", code: "budget" });
    const asked = [...a.model.requests, ...b.model.requests];
    expect(asked.length).toBeLessThan(30);
    for (const { requests } of [a.model, b.model]) {
      expect(requests.some(({ messages }) => JSON.stringify(messages.at(-1)).includes("this is the last turn"))).toBe(true);
    }
  });

  it("may call others only so deep", async () => {
    const registry = createRegistry();
    const loop = scripted([ask("loop"), ask("loop"), "Deep enough.", "b", "a"], registry, { name: "loop" });
    registry.register(agentTool(loop.agent, { maxDepth: 1 }));
    const { status } = await loop.agent.run("x");
    expect(status).toBe("done");
    const results = loop.model.requests.flatMap(({ messages }) =>
      messages.flatMap((message) => (message.role === "tool" ? message.results : [])),
    );
    expect(results[0]).toMatchObject({ ok: false, code: "DEPTH_EXCEEDED" });
  });

  it("that needs a person lets the run wait which called it, and goes on with the answer", async () => {
    const pay = defineTool({
      name: "pay",
      description: "Pays.",
      inputSchema: { type: "object" },
      handler: async (_, context) => ((await context.ask({ message: "Pay?" })).action === "accept" ? "paid" : "not paid"),
    });
    const sessions = createMemorySessions();
    const clerk = scripted([{ calls: [{ name: "pay" }] }, "I paid."], [pay], { name: "clerk", sessions });
    const helper = scripted([ask("clerk", "Pay."), "Done."], [agentTool(clerk.agent)], { sessions });
    const first = await helper.agent.run("x");
    expect(first).toMatchObject({ status: "waiting", waiting: [{ tool: "clerk", approval: { tool: "pay", reason: "Pay?" } }] });
    const approvals = [{ digest: first.waiting![0]!.approval.digest, answer: { action: "accept" as const } }];
    expect(await helper.agent.resume(first.session, { approvals })).toMatchObject({ status: "done", text: "Done." });
    expect(clerk.model.left).toBe(0);
    expect((await messagesOf(helper, first.session))[2]).toMatchObject({ results: [{ ok: true, content: "I paid." }] });
  });

  it("whose run was cut off together with its caller goes on where it was, and does not begin anew", async () => {
    const sessions = createMemorySessions();
    const look = noted("look");
    const finder = (script: Parameters<typeof scripted>[0]) => scripted(script, [look.tool], { name: "finder", sessions });
    const first = finder([{ calls: [{ name: "look" }] }, { failure: { message: "Power cut.", retryable: false } }]);
    const parent = await sessions.create({ key: "agent:helper:main", agent: "helper", kind: "main" });
    const calls = [{ id: "1", name: "finder", wireName: "finder", input: { task: "Find it." } }];
    const said = { role: "user" as const, content: "x", from: { kind: "person" as const } };
    await sessions.append(parent.id, [said, { role: "assistant", content: "", calls }], { after: 0 });
    await first.agent.run("Find it.", { session: `agent:finder:subagent:${parent.id}.2/1` });
    const helper = scripted(["Found."], [agentTool(finder(["In the attic."]).agent)], { sessions });
    expect(await helper.agent.resume("main")).toMatchObject({ status: "done", text: "Found." });
    expect(look.calls.length).toBe(1);
    expect((await messagesOf(helper, parent.id))[2]).toMatchObject({ results: [{ ok: true, content: "In the attic." }] });
  });
});

describe("an agent as a job", () => {
  const registryWith = (...tools: readonly ToolDefinition[]): ReturnType<typeof createRegistry> => {
    const registry = createRegistry();
    for (const tool of tools) registry.register(tool);
    return registry;
  };
  const data = async (result: ReturnType<ReturnType<typeof createRegistry>["invoke"]>): Promise<Record<string, string>> => {
    const answered = await result;
    return answered.ok ? (answered.data as Record<string, string>) : { error: answered.error };
  };

  // row: I13
  it("answers with the id of a job at once, and with its result later", async () => {
    const jobs = createMemoryJobs();
    let answer: (text: string) => void = () => undefined;
    const finder = scripted([() => new Promise<string>((resolve) => (answer = resolve))], [], { name: "finder" });
    const registry = registryWith(agentTool(finder.agent, { answer: "job", jobs }), createJobTool(jobs));
    const ann = { caller: { principal: "ann" } };
    const { job_id, status } = await data(registry.invoke("finder", { task: "Find it." }, ann));
    expect(status).toBe("running");
    expect(await data(registry.invoke("job", { action: "get", job_id }, ann))).toMatchObject({ status: "running", agent: "finder" });
    await until(() => finder.model.requests.length === 1);
    answer("In the attic.");
    await until(async () => (await data(registry.invoke("job", { action: "get", job_id }, ann)))["status"] === "done");
    expect(await data(registry.invoke("job", { action: "get", job_id }, ann))).toMatchObject({ text: "In the attic." });
    expect(await data(registry.invoke("job", { action: "list" }, ann))).toEqual({ jobs: [expect.objectContaining({ job_id })] });
    expect(await data(registry.invoke("job", { action: "list" }, { caller: { principal: "bob" } }))).toEqual({ jobs: [] });
    expect(await data(registry.invoke("job", { action: "get", job_id }, { caller: { principal: "bob" } }))).toMatchObject({
      error: expect.stringContaining("You have no job"),
    });
  });

  it("can be cancelled, is begun once for one call, and is refused beyond the limit of its caller", async () => {
    const jobs = createMemoryJobs({ runningPerCaller: 2 });
    const finder = scripted(
      Array.from({ length: 3 }, () => () => new Promise<string>(() => undefined)),
      [],
      { name: "finder" },
    );
    const registry = registryWith(agentTool(finder.agent, { answer: "job", jobs }), createJobTool(jobs));
    const begin = (callId: string) => data(registry.invoke("finder", { task: "x" }, { callId }));
    const first = await begin("one");
    expect(await begin("one")).toEqual(first);
    await begin("two");
    expect(await begin("three")).toMatchObject({ error: expect.stringContaining("2 jobs are running for you already") });
    await registry.invoke("job", { action: "cancel", job_id: first["job_id"] });
    await until(async () => (await data(registry.invoke("job", { action: "get", job_id: first["job_id"] })))["status"] === "stopped");
    expect(await begin("three")).toMatchObject({ status: "running" });
  });

  it("needs jobs, and says so", () => {
    expect(() => agentTool(scripted([]).agent, { answer: "job" })).toThrow(/give it jobs/);
  });
});
