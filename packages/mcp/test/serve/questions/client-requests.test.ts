import { describe, expect, it, vi } from "vitest";
import { createClientRequests } from "../../../src/serve/questions/client-requests.ts";
import { createSigner } from "../../../src/serve/signer.ts";

const signer = createSigner("k".repeat(32));

/** Asks, and answers the id of the question with what it resolves to. */
function asking(requests = createClientRequests(1_000, signer), owner = "session-1", by = new AbortController().signal) {
  let sent = "";
  const answer = requests.ask(owner, "elicitation/create", { message: "Really?" }, (message) => (sent = message), by);
  answer.catch(() => undefined);
  return { requests, answer, message: sent === "" ? undefined : (JSON.parse(sent) as { id: string; method: string; params: object }) };
}

describe("questions to a client", () => {
  it("are sent as requests, and settled by the response of the session that was asked", async () => {
    const { requests, answer, message } = asking();
    const { id } = message!;
    expect(message).toMatchObject({ jsonrpc: "2.0", method: "elicitation/create", params: { message: "Really?" } });
    expect(requests.settle("session-2", { kind: "response", id, result: "evil" })).toBe(false);
    expect(requests.settle("session-1", { kind: "response", id: "other", result: "evil" })).toBe(false);
    expect(requests.settle("session-1", { kind: "response", id, result: { action: "accept" } })).toBe(true);
    expect(await answer).toEqual({ action: "accept" });
    expect(requests.settle("session-1", { kind: "response", id, result: "again" })).toBe(false);
  });

  it("fail with the client's error, with a fault on the way, or with the call", async () => {
    const failed = (fact: string) => ({ code: "ANSWER_UNAVAILABLE", message: `The client was asked (elicitation/create): ${fact}.` });
    const refused = asking();
    refused.requests.settle("session-1", { kind: "response", id: refused.message!.id, error: { code: -32601, message: "s3cret" } });
    await expect(refused.answer).rejects.toMatchObject(failed("it answered with error -32601"));
    const lost = asking();
    expect(lost.requests.fail("session-2", lost.message!.id, "x")).toBe(false);
    expect(lost.requests.fail("session-1", lost.message!.id, "its answer was too long")).toBe(true);
    await expect(lost.answer).rejects.toMatchObject(failed("its answer was too long"));
    const controller = new AbortController();
    const cancelled = asking(undefined, undefined, controller.signal);
    controller.abort();
    await expect(cancelled.answer).rejects.toMatchObject(failed("the call was cancelled"));
  });

  it("are not waited for longer than is allowed, and leave no timer or listener", async () => {
    vi.useFakeTimers();
    try {
      const controller = new AbortController();
      const remove = vi.spyOn(controller.signal, "removeEventListener");
      const { requests, answer, message } = asking(undefined, undefined, controller.signal);
      vi.advanceTimersByTime(999);
      expect(vi.getTimerCount()).toBe(1);
      vi.advanceTimersByTime(1);
      await expect(answer).rejects.toThrow("it did not answer in time");
      expect([remove.mock.calls.length, vi.getTimerCount()]).toEqual([1, 0]);
      expect(requests.settle("session-1", { kind: "response", id: message!.id, result: 1 })).toBe(false);
      const settled = asking(requests);
      requests.settle("session-1", { kind: "response", id: settled.message!.id, result: 1 });
      expect([await settled.answer, vi.getTimerCount()]).toEqual([1, 0]);
    } finally {
      vi.useRealTimers();
    }
  });

  it("wait in bounded number for each session", async () => {
    const requests = createClientRequests(1_000, signer);
    for (let count = 0; count < 32; count++) expect(asking(requests).message).toBeDefined();
    const more = asking(requests);
    await expect(more.answer).rejects.toMatchObject({
      code: "ANSWER_UNAVAILABLE",
      message: "The client was not asked (elicitation/create): 32 questions to it wait for an answer already.",
    });
    expect(more.message).toBeUndefined();
    expect(asking(requests, "session-2").message).toBeDefined();
  });

  it("are known by their ids to every server with the key, for the session that was asked", () => {
    const { message } = asking();
    const elsewhere = createClientRequests(1_000, createSigner("k".repeat(32)));
    expect(elsewhere.wasAsked("session-1", message!.id)).toBe(true);
    expect(elsewhere.wasAsked("session-2", message!.id)).toBe(false);
    expect(createClientRequests(1_000, createSigner(undefined)).wasAsked("session-1", message!.id)).toBe(false);
    for (const id of [5, "x", signer.seal("question to session-1", "x".repeat(300))])
      expect(elsewhere.wasAsked("session-1", id)).toBe(false);
  });
});
