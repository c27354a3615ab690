import { carriedContexts } from "@toolrack/testkit/contexts";
import { describe, expect, it, vi } from "vitest";
import { createQuestions, type PendingCall } from "../../../src/upstream/calls/questions.ts";

function person(): { readonly call: PendingCall; readonly ask: ReturnType<typeof vi.fn> } {
  const ask = vi.fn(async () => ({ action: "accept", value: {} }));
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  return { call: { context: { ask, log } as unknown as PendingCall["context"] }, ask };
}

describe("a question of an MCP server", () => {
  it("S32: that belongs to none of several calls is asked of nobody", async () => {
    const questions = createQuestions("s");
    const [anna, ben] = [person(), person()];
    const outside = (): Promise<unknown> => questions.outside(() => questions.answerAny({ message: "Your password?" }));
    await questions.during(anna.call, async () => {
      await questions.during(ben.call, async () => expect(await outside()).toEqual({ action: "cancel" }));
      expect([anna.ask.mock.calls.length, ben.ask.mock.calls.length]).toEqual([0, 0]);
      expect(await outside()).toMatchObject({ action: "accept" });
    });
    expect(anna.ask).toHaveBeenCalledOnce();
    expect(await outside()).toEqual({ action: "cancel" });
  });

  it("is asked of the call to its own server, where one call runs inside another", async () => {
    const [outer, inner] = [createQuestions("outer"), createQuestions("inner")];
    const [anna, ben, carl] = [person(), person(), person()];
    const ask = (): Promise<unknown> => inner.answerAny({ message: "Who is it?" });
    await inner.during(carl.call, () => inner.outside(() => outer.during(anna.call, () => inner.during(ben.call, ask))));
    await inner.during(carl.call, () => inner.during(ben.call, () => outer.during(anna.call, ask)));
    expect([anna, ben, carl].map(({ ask: asked }) => asked.mock.calls.length)).toEqual([0, 2, 0]);
  });

  it("adds nothing to the promises of a process with each further server", async () => {
    const { call } = person();
    await createQuestions("first").during(call, async () => undefined);
    const before = await carriedContexts();
    for (let count = 0; count < 10; count++) await createQuestions(`s${count}`).during(call, async () => undefined);
    expect(await carriedContexts()).toBe(before);
  });

  it("SD7: is asked without invisible characters", async () => {
    const { call, ask } = person();
    await createQuestions("s").answer({ message: "Go\u202E on\u200B?" }, call);
    expect(ask).toHaveBeenCalledWith({ message: 'The MCP server "s" asks: Go on?' });
  });

  it("is asked with its schema, and what the person leaves out is filled in as that says", async () => {
    const requestedSchema = {
      type: "object",
      properties: { colour: { type: "string", default: "red" }, shade: { default: "dark" }, size: { type: "number" }, odd: null },
    };
    const answerOf = async (answered: object, schema: object | undefined = requestedSchema): Promise<unknown> => {
      const { call, ask } = person();
      ask.mockResolvedValue(answered as never);
      const answer = await createQuestions("s").answer({ message: "Which?", ...(schema && { requestedSchema: schema as never }) }, call);
      expect(ask.mock.calls).toEqual([[{ message: 'The MCP server "s" asks: Which?', ...(schema && { schema }) }]]);
      return answer;
    };
    expect(await answerOf({ action: "accept", value: { colour: "blue" } })).toEqual({
      action: "accept",
      content: { colour: "blue", shade: "dark" },
    });
    for (const value of [undefined, null, ["a"], "text"])
      expect(await answerOf({ action: "accept", value })).toEqual({ action: "accept", content: { colour: "red", shade: "dark" } });
    for (const schema of [{}, { properties: null }, { properties: "none" }])
      expect(await answerOf({ action: "accept", value: { a: 1 } }, schema)).toEqual({ action: "accept", content: { a: 1 } });
    for (const action of ["decline", "cancel"]) expect(await answerOf({ action, value: { a: 1 } })).toEqual({ action });
  });

  it("of any length is asked with its first 2,000 characters", async () => {
    const { call, ask } = person();
    await createQuestions("s").answer({ message: "x".repeat(3_000) }, call);
    expect(ask.mock.calls).toEqual([[{ message: `The MCP server "s" asks: ${"x".repeat(2_000)}` }]]);
  });

  it("that nobody can answer is cancelled, and the first reason is kept", async () => {
    const { call, ask } = person();
    const questions = createQuestions("s");
    for (const reason of ["first", "second"]) {
      ask.mockRejectedValueOnce(new Error(reason));
      expect(await questions.answer({ message: "Which?" }, call)).toEqual({ action: "cancel" });
    }
    expect(call.unanswered).toEqual(new Error("first"));
  });

  it("that may belong to any of several calls is told to each of them", async () => {
    const questions = createQuestions("s");
    const [anna, ben] = [person(), person()];
    const told = [anna, ben].map(({ call }) => vi.spyOn(call.context.log, "warn"));
    await questions.during(anna.call, () =>
      questions.during(ben.call, () => questions.outside(() => questions.answerAny({ message: "Which?" }))),
    );
    for (const warn of told)
      expect(warn.mock.calls).toEqual([['MCP server "s" asked a question that belongs to none, or to any, of its 2 calls: unanswered.']]);
  });
});
