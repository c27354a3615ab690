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

  it("SD7: is asked without invisible characters", async () => {
    const { call, ask } = person();
    await createQuestions("s").answer({ message: "Go\u202E on\u200B?" }, call);
    expect(ask).toHaveBeenCalledWith({ message: 'The MCP server "s" asks: Go on?' });
  });
});
