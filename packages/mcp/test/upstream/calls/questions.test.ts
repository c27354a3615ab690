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
});
