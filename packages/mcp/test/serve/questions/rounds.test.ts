import { afterThisTest } from "@toolrack/testkit/cleanup";
import { describe, expect, it, vi } from "vitest";
import { createOnceLedger } from "../../../src/serve/questions/once-ledger.ts";
import { createRequestStates } from "../../../src/serve/questions/request-state.ts";
import { createRounds } from "../../../src/serve/questions/rounds.ts";
import { createResults } from "../../../src/serve/results.ts";
import { createSigner } from "../../../src/serve/signer.ts";
import type { Exchange } from "../../../src/serve/exchange.ts";

const signer = createSigner("k".repeat(32));
const subject = { method: "tools/call", name: "pay", input: { a: 1, b: 2 }, principal: "ada" };
const state = { asked: ["q1"], answers: { q0: { action: "accept" } } };

describe("a state that a client brings back", () => {
  const states = createRequestStates({ signer, ledger: createOnceLedger(), maxAgeMs: 1_000 });

  it("says what it said, once, for the same request however its arguments are ordered", async () => {
    const sealed = states.seal(subject, state);
    expect(await states.open({ ...subject, input: { b: 2, a: 1 } }, sealed)).toEqual(state);
    await expect(states.open(subject, sealed)).rejects.toMatchObject({
      code: -32602,
      message: "The requestState was used before, and is good for one use. Make the call again without it.",
    });
    expect(states.seal(subject, state)).not.toBe(states.seal(subject, state));
  });

  it.each([{ method: "prompts/get" }, { name: "other" }, { input: { a: 1 } }, { principal: "eve" }])(
    "is for no other request: %j",
    async (other) => {
      await expect(states.open({ ...subject, ...other }, states.seal(subject, state))).rejects.toThrow(
        "The requestState belongs to another request: caller, tool and arguments must be the same. Make the call again without it.",
      );
    },
  );

  it("expires", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: 0 });
    afterThisTest(() => vi.useRealTimers());
    const [first, second] = [states.seal(subject, state), states.seal(subject, state)];
    vi.setSystemTime(999);
    expect(await states.open(subject, first)).toEqual(state);
    vi.setSystemTime(1_000);
    await expect(states.open(subject, second)).rejects.toThrow("The requestState has expired.");
  });

  it("is refused where it was changed, was made for something else, or is very long", async () => {
    const sealed = states.seal(subject, state);
    const changed = "The requestState was changed, or comes from another server.";
    const long = states.seal(subject, { asked: [], answers: { text: "x".repeat(256 * 1024) } });
    for (const wrong of [`${sealed}x`, "", signer.seal("session", "{}"), long])
      await expect(states.open(subject, wrong)).rejects.toThrow(changed);
    const odd = states.seal(subject, { asked: [], answers: "none" as never });
    expect(await states.open(subject, odd)).toEqual({ asked: [], answers: {} });
  });
});

describe("a request in rounds", () => {
  const results = createResults({ name: "test", version: "1" }, 0);
  const rounds = createRounds(createRequestStates({ signer, ledger: createOnceLedger(), maxAgeMs: 60_000 }), results);
  const exchange = (params: object = {}, era = "modern"): Exchange =>
    ({ era, method: "tools/call", principal: "ada", params }) as unknown as Exchange;

  it("begins without answers where the client brings none, or cannot", async () => {
    for (const one of [exchange(), exchange({ inputResponses: { a: 1 }, requestState: 5 }, "legacy")]) {
      const call = rounds.begin(one, "pay", {});
      expect(call).not.toBeInstanceOf(Promise);
      expect((await call).answers).toEqual({});
    }
  });

  it("begins with what was answered before and now, and asks again for the rest", async () => {
    const first = await rounds.begin(exchange(), "pay", {});
    const question = { method: "roots/list", params: {} } as const;
    first.missing = { "approval:d1": question, q2: question };
    const asked = JSON.parse(rounds.ask(first, "pay", {}));
    expect(asked).toEqual({
      resultType: "input_required",
      inputRequests: first.missing,
      requestState: expect.any(String),
      _meta: expect.any(Object),
    });
    const given = { "approval:d1": { action: "accept" }, "approval:d2": { action: "accept" }, q2: 2 };
    const second = await rounds.begin(exchange({ inputResponses: given, requestState: asked.requestState }), "pay", {});
    // A yes to what nobody asked does not count.
    expect(second.answers).toEqual({ "approval:d1": { action: "accept" }, q2: 2 });
    second.used = ["approval:d1"];
    second.missing = { q3: question };
    const { requestState } = JSON.parse(rounds.ask(second, "pay", {}));
    const third = await rounds.begin(exchange({ requestState }), "pay", {});
    expect(third.answers).toEqual({ "approval:d1": { action: "accept" } });
  });

  it("takes answers without a state, but no yes to a call", async () => {
    const call = await rounds.begin(exchange({ inputResponses: { "approval:d1": { action: "accept" }, q: 1 } }), "pay", {});
    expect(call.answers).toEqual({ q: 1 });
  });

  it("refuses what is no state and no answers", async () => {
    expect(() => rounds.begin(exchange({ inputResponses: [] }), "pay", {})).toThrow("inputResponses must be an object.");
    await expect(rounds.begin(exchange({ requestState: 5 }), "pay", {})).rejects.toThrow("requestState must be a text.");
  });
});
