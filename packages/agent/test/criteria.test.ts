import { defineTool } from "@toolrack/core";
import { describe, expect, it } from "vitest";
import { eventsOf, messagesOf, noted, scripted } from "./_agents.ts";

const call = (name: string, input: unknown = {}): { readonly calls: readonly { readonly name: string; readonly input: unknown }[] } => ({
  calls: [{ name, input }],
});

describe("criteria", () => {
  // row: I16
  it("let no run end before the required tool was called with success", async () => {
    let tries = 0;
    const save = defineTool({
      name: "save",
      description: "Saves.",
      inputSchema: { type: "object" },
      handler: () => (++tries === 1 ? new Error("Disk full.") : "saved"),
    });
    const helper = scripted(["Done!", call("save"), "Done again!", call("save"), "Saved."], [save], { until: { requiredTools: ["save"] } });
    const result = await helper.agent.run("Save it.");
    expect(result).toMatchObject({ status: "done", text: "Saved." });
    const told = (await messagesOf(helper, result.session)).filter((message) => message.role === "user" && message.from.kind === "system");
    expect(told).toEqual(
      Array(2).fill({ role: "user", content: 'You are not done: call "save" with success first.', from: { kind: "system" } }),
    );
  });

  it("ask for the tools anew in every run of a session", async () => {
    const look = noted("look");
    const helper = scripted([call("look"), "First.", "Too early.", call("look"), "Second."], [look.tool], {
      until: { requiredTools: ["look"] },
    });
    expect(await helper.agent.run("x", { session: "main" })).toMatchObject({ status: "done", text: "First." });
    expect(await helper.agent.run("y", { session: "main" })).toMatchObject({ status: "done", text: "Second." });
    expect(look.calls).toHaveLength(2);
  });

  it("are told three times at most; then the run stops, and says what is missing", async () => {
    const helper = scripted(["a", "b", "c", "d"], [], { until: { artifacts: ["report"] } });
    const result = await helper.agent.run("x");
    expect(result).toMatchObject({ status: "stopped", code: "unmet", reason: expect.stringContaining('"report" does not exist yet') });
    expect(helper.model.left).toBe(0);
  });

  it("count what tools produce, and what a check of one's own says", async () => {
    const write = noted("write", { produces: ["report"] });
    const until = {
      artifacts: ["report"],
      check: ({ text }: { readonly text: string }) => (text.includes("page") ? undefined : "Name the page."),
    };
    const helper = scripted([call("write"), "Written.", "It is on page 3."], [write.tool], { until });
    expect(await helper.agent.run("x")).toMatchObject({ status: "done", text: "It is on page 3." });
    const throwing = scripted(["a", "b", "c", "d"], [], {
      until: {
        check: () => {
          throw new Error("No database.");
        },
      },
    });
    expect(await throwing.agent.run("x")).toMatchObject({ status: "stopped", reason: expect.stringContaining("No database.") });
  });

  it("with a signal end a run by the tool finish alone, which is refused as long as something is missing", async () => {
    const save = noted("save");
    const helper = scripted(
      ["finish", call("finish", { answer: "early" }), call("save"), call("finish", { answer: "All saved." })],
      [save.tool],
      {
        until: { signal: true, requiredTools: ["save"] },
      },
    );
    const result = await helper.agent.run("x");
    expect(result).toMatchObject({ status: "done", code: "finished", text: "All saved." });
    const results = (await messagesOf(helper, result.session)).flatMap((message) => (message.role === "tool" ? message.results : []));
    expect(results[0]).toMatchObject({ ok: false, code: "BLOCKED", error: 'You are not done: call "save" with success first.' });
    expect(Object.values(helper.model.requests[0]!.tools!.names)).toEqual(["save", "finish"]);
  });
});

describe("a tool that consumes what another produces", () => {
  // row: A16
  it('is flagged "inputs missing" until its producer has run, and a call of it is answered with that', async () => {
    const outline = noted("outline", { produces: ["outline"] });
    const write = noted("write", { consumes: ["outline"] });
    const helper = scripted([call("write"), { calls: [{ name: "outline" }, { name: "write" }] }, "ok"], [outline.tool, write.tool]);
    const { events, result } = await eventsOf(helper.agent.run("x"));
    expect(events.filter((event) => event.type === "inputs-missing").map(({ tools }) => tools)).toEqual([
      [{ tool: "write", artifacts: ["outline"] }],
      [],
    ]);
    expect((await messagesOf(helper, result.session))[2]).toMatchObject({
      results: [
        {
          ok: false,
          code: "BLOCKED",
          error: 'Inputs missing: tool "write" needs "outline", which nothing has produced so far. Call "outline" first.',
        },
      ],
    });
    expect(write.calls.length).toBe(1);
    expect(new Set(helper.model.requests.map(({ tools }) => tools!.text)).size).toBe(1);
  });

  it("may be called where the artifact is there from the beginning, or from an earlier run of the session", async () => {
    const write = noted("write", { consumes: ["outline"] });
    await scripted([call("write"), "ok"], [write.tool], { artifacts: ["outline"] }).agent.run("x");
    expect(write.calls.length).toBe(1);
    const helper = scripted([call("outline"), "ok", call("write"), "ok"], [noted("outline", { produces: ["outline"] }).tool, write.tool]);
    const { session } = await helper.agent.run("Outline.");
    await helper.agent.run("Write.", { session });
    expect(write.calls.length).toBe(2);
  });
});

describe("phases", () => {
  it("have their own tools and criteria, one after the other", async () => {
    const tools = [noted("search", { produces: ["sources"] }), noted("write", { consumes: ["sources"] }), noted("publish")];
    const [search, write, publish] = tools;
    const helper = scripted(
      [call("write"), "Nothing found.", call("search"), "Found.", call("write"), call("finish", { answer: "Written." })],
      tools.map(({ tool }) => tool),
      {
        phases: [
          { name: "research", instructions: "Find sources.", tools: ["search"], until: { artifacts: ["sources"] } },
          { name: "writing", tools: ["write"], until: { signal: true, requiredTools: ["write"] } },
        ],
      },
    );
    const { events, result } = await eventsOf(helper.agent.run("An article."));
    expect(result).toMatchObject({ status: "done", code: "finished", text: "Written." });
    expect(events.filter((event) => event.type === "phase").map(({ phase }) => phase)).toEqual(["research", "writing"]);
    expect(helper.model.requests.map((request) => Object.values(request.tools!.names).join(" "))).toEqual([
      "search",
      "search",
      "search",
      "search",
      "write finish",
      "write finish",
    ]);
    expect((await messagesOf(helper, result.session))[3]).toMatchObject({ results: [{ ok: false, code: "TOOL_NOT_ALLOWED" }] });
    expect([search, write, publish].map((one) => one?.calls.length)).toEqual([1, 1, 0]);
    expect(JSON.stringify(helper.model.requests[0]?.messages)).toContain('Now the phase \\"research\\" begins. Find sources.');
  });
});

describe("an agent with many tools", () => {
  it("searches for them, calls what it found as that tool, and keeps required ones in its list", async () => {
    const many = Array.from({ length: 150 }, (_, index) => noted(`tool_${index}`).tool);
    const mail = noted("send_mail", { annotations: { readOnly: false } });
    const clock = noted("clock", { optionality: "required" });
    const helper = scripted(
      [call("search_tools", { query: "mail" }), call("call_tool", { name: "send_mail", input: { n: 1 } }), call("call_tool"), "Sent."],
      [...many, mail.tool, clock.tool],
      { until: { requiredTools: ["send_mail"] } },
    );
    const { events, result } = await eventsOf(helper.agent.run("Mail it."));
    expect(result).toMatchObject({ status: "done", text: "Sent." });
    expect(Object.values(helper.model.requests[0]!.tools!.names)).toEqual(["search_tools", "describe_tool", "call_tool", "clock"]);
    expect(mail.calls).toEqual([{ n: 1 }]);
    const told = events.flatMap((event) => (event.type === "result" ? [[event.tool, event.result.ok]] : []));
    expect(told).toEqual([
      ["search_tools", true],
      ["send_mail", true],
      ["call_tool", false],
    ]);
    const results = (await messagesOf(helper, result.session)).flatMap((message) => (message.role === "tool" ? message.results : []));
    expect(JSON.stringify(results[0])).toContain("send_mail");
    expect(results[1]?.meta).toMatchObject({ tool: "send_mail", callId: `${result.session}.4/1` });
  });

  it("keeps its whole list where a budget of tokens or the limit allows it", async () => {
    const many = Array.from({ length: 150 }, (_, index) => noted(`tool_${index}`).tool);
    const whole = scripted(["ok"], many, { searchAbove: 200 });
    await whole.agent.run("x");
    expect(Object.keys(whole.model.requests[0]!.tools!.names).length).toBe(150);
    const fitted = scripted(["ok"], many, { searchAbove: 200, maxToolTokens: 400 });
    await fitted.agent.run("x");
    const count = Object.keys(fitted.model.requests[0]!.tools!.names).length;
    expect(count > 0 && count < 50).toBe(true);
  });
});

describe("calls of one reply that only read", () => {
  it("are made one after the other where one needs what another produces", async () => {
    const outline = noted("outline", { produces: ["outline"], annotations: { readOnly: true } });
    const check = noted("check", { consumes: ["outline"], annotations: { readOnly: true } });
    const { agent } = scripted([{ calls: [{ name: "outline" }, { name: "check" }] }, "ok"], [outline.tool, check.tool]);
    expect(await agent.run("x")).toMatchObject({ status: "done" });
    expect([outline.calls.length, check.calls.length]).toEqual([1, 1]);
  });
});
