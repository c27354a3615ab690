import { defineTool } from "@toolrack/core";
import { createFakeClock } from "@toolrack/core/testing";
import { sized } from "@toolrack/testkit/sized";
import { until } from "@toolrack/testkit/until";
import { describe, expect, it } from "vitest";
import { eventsOf, messagesOf, noted, scripted } from "./_agents.ts";

const calls = (count: number, name = "look"): { readonly calls: readonly { readonly name: string }[] }[] =>
  Array.from({ length: count }, () => ({ calls: [{ name }] }));

describe("a budget", () => {
  it("withholds the tools in the last turn, tells the model to answer, and stops; a resumed run has a new one", async () => {
    const look = noted("look");
    const helper = scripted([...calls(2), "So far: two.", ...calls(1), "All of it."], [look.tool], { budget: { turns: 3 } });
    const { events, result } = await eventsOf(helper.agent.run("x"));
    expect(result).toMatchObject({ status: "stopped", code: "budget", text: "So far: two.", usage: { turns: 3, calls: 2 } });
    expect(result.reason).toMatch(/^The 3 turns of this run are used up\. Resume/);
    const last = helper.model.requests[2]!;
    expect(last.choice).toBe("none");
    expect(last.messages.at(-1)).toMatchObject({
      role: "user",
      content: expect.stringContaining("this is the last turn"),
      from: { kind: "system" },
    });
    expect(events.filter((event) => event.type === "turn").map(({ isLast }) => isLast)).toEqual([false, false, true]);
    expect((await messagesOf(helper, result.session)).at(-1)).toMatchObject({ role: "assistant", content: "So far: two." });

    expect(await helper.agent.resume(result.session)).toMatchObject({ status: "done", text: "All of it." });
    expect(look.calls.length).toBe(3);
    expect(helper.model.requests[3]?.messages.at(-1)).toMatchObject({ content: expect.stringContaining("You may go on") });
    expect(await helper.agent.resume(result.session)).toMatchObject({ status: "done", text: "All of it.", usage: { turns: 0 } });
  });

  it("answers calls of the last turn as refused, so that no call is left without an answer", async () => {
    const look = noted("look");
    const helper = scripted(calls(2), [look.tool], { budget: { turns: 2 } });
    const { session, status } = await helper.agent.run("x");
    expect(status).toBe("stopped");
    expect(look.calls.length).toBe(1);
    expect((await messagesOf(helper, session)).at(-1)).toMatchObject({ role: "tool", results: [{ ok: false, code: "BUDGET_EXCEEDED" }] });
  });

  it.each([
    ["tokens", { tokens: 15 }, /15 tokens/],
    ["cost", { costUsd: 0.01 }, /0.01 US dollars/],
    ["calls", { calls: 1 }, /1 calls/],
  ])("of %s ends a run after the turn that used it up", async (_, budget, reason) => {
    const usage = { inputTokens: 10, outputTokens: 5, costUsd: 0.01 };
    const helper = scripted([{ calls: [{ name: "look" }], usage }, "Enough."], [noted("look").tool], { budget });
    expect(await helper.agent.run("x")).toMatchObject({ status: "stopped", text: "Enough.", reason: expect.stringMatching(reason) });
  });

  it("of calls refuses those of a reply that are too many", async () => {
    const look = noted("look");
    const helper = scripted([{ calls: [{ name: "look" }, { name: "look" }, { name: "look" }] }, "ok"], [look.tool], {
      budget: { calls: 2 },
    });
    const { session } = await helper.agent.run("x");
    expect(look.calls.length).toBe(2);
    expect((await messagesOf(helper, session))[2]).toMatchObject({ results: [{ ok: true }, { ok: true }, { code: "BUDGET_EXCEEDED" }] });
  });

  it("of failures in a row ends a model that never learns, and counts anew after a success", async () => {
    const fails = noted("fails", {}, new Error("no"));
    const helper = scripted([...calls(2, "fails"), ...calls(1), ...calls(3, "fails"), "I give up."], [fails.tool, noted("look").tool], {
      budget: { failuresInARow: 3 },
    });
    expect(await helper.agent.run("x")).toMatchObject({
      status: "stopped",
      reason: expect.stringMatching(/^3 calls in a row/),
      text: "I give up.",
    });
    expect(fails.calls.length).toBe(5);
  });

  it("AH24: of time ends a call that runs, answers it, and stops", async () => {
    const clock = createFakeClock();
    let hasBegun = false;
    let wasAborted = false;
    const endless = defineTool({
      name: "endless",
      description: "Never ends.",
      inputSchema: { type: "object" },
      handler: (_, { signal }) => {
        hasBegun = true;
        signal.addEventListener("abort", () => (wasAborted = true));
        return new Promise(() => undefined);
      },
    });
    const helper = scripted([{ calls: [{ name: "endless" }, { name: "endless" }] }], [endless], { budget: { ms: 5_000 }, clock });
    const run = helper.agent.run("x");
    await until(() => hasBegun);
    await clock.advance(5_000);
    const { session, ...result } = await run;
    expect(result).toMatchObject({ status: "stopped", code: "budget", reason: expect.stringContaining("time of this run is over") });
    expect(wasAborted).toBe(true);
    expect((await messagesOf(helper, session)).at(-1)).toMatchObject({
      results: [
        { ok: false, code: "ABORTED" },
        { ok: false, code: "ABORTED" },
      ],
    });
  });
});

describe("a cancelled run", () => {
  it("ends although the model does not look at its signal, and can be resumed", async () => {
    let asked = 0;
    const helper = scripted([() => (asked++, new Promise<string>(() => undefined)), "Here I am."]);
    const run = helper.agent.run("x");
    await until(() => asked === 1);
    run.cancel("The window was closed.");
    const { session, ...result } = await run;
    expect(result).toMatchObject({ status: "stopped", code: "cancelled", reason: "The window was closed. Resume the session to go on." });
    expect(await helper.agent.resume(session)).toMatchObject({ status: "done", text: "Here I am." });
  });

  it("is one whose signal was aborted before it began", async () => {
    const helper = scripted(["never"]);
    expect(await helper.agent.run("x", { signal: AbortSignal.abort() })).toMatchObject({ status: "stopped", code: "cancelled" });
    expect(helper.model.left).toBe(1);
  });
});

describe("a hostile reply", () => {
  it("AH24: with a million calls is cut: 64 are made, and those that are kept are all answered", async () => {
    const look = noted("look", { annotations: { readOnly: true } });
    const million = Array.from({ length: sized(100_000, 1_000_000) }, (_, index) => ({ name: "look", id: `c${index}` }));
    const helper = scripted([{ calls: million }, "ok"], [look.tool]);
    const { session, status } = await helper.agent.run("x");
    expect(status).toBe("done");
    expect(look.calls.length).toBe(64);
    const [, reply, answers] = await messagesOf(helper, session);
    expect(reply?.role === "assistant" && reply.calls.length).toBe(1_024);
    const results = answers?.role === "tool" ? answers.results : [];
    expect(results.length).toBe(1_024);
    expect(results.filter(({ ok }) => ok).length).toBe(64);
    expect(results[64]).toMatchObject({ ok: false, code: "BUDGET_EXCEEDED", error: expect.stringContaining("first 64 calls") });
  });

  it("with the same id for every call is answered by its order, each call once", async () => {
    const look = noted("look");
    const same = [1, 2, 3].map((n) => ({ name: "look", id: "same", input: { n } }));
    const helper = scripted([{ calls: same }, "ok"], [look.tool]);
    await helper.agent.run("x");
    expect(look.calls).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
  });
});

describe("the time of a run that waited for a person", () => {
  it("goes on where it was: what it had used before is used", async () => {
    const clock = createFakeClock();
    let [asked, began] = [0, 0];
    const ask = defineTool({
      name: "ask",
      description: "Asks a person, then never ends.",
      inputSchema: { type: "object" },
      async handler(_, context) {
        if (asked++ === 0) await clock.advance(600);
        await context.ask({ message: "May I?" });
        began += 1;
        return new Promise<string>(() => undefined);
      },
    });
    const { agent } = scripted([{ calls: [{ name: "ask" }] }, "late"], [ask], { clock, budget: { ms: 1_000 } });
    const waiting = await agent.run("x", { session: "main" });
    expect(waiting.status).toBe("waiting");
    await clock.advance(100_000);
    const { digest } = waiting.waiting![0]!.approval;
    const resumed = agent.resume("main", { approvals: [{ digest, answer: { action: "accept" } }] });
    await until(() => began === 1);
    await clock.advance(500);
    expect(await resumed).toMatchObject({ status: "stopped", code: "budget" });
  });
});
