import { type Answers, createAnswers, createMemoryStore, createPresence } from "@toolrack/store";
import { describe, expect, it } from "vitest";
import { answerOnce } from "../../../src/http/request/idempotency.ts";

describe("a request with an Idempotency-Key whose server is gone", () => {
  it("OP2: is not made again where that could be once too often", async () => {
    const store = createMemoryStore();
    const answersOf = async (name: string) => {
      await createPresence(store).report(name);
      return createAnswers(store, { server: { owner: store.actor.owner, name, lost: () => expect.unreachable() } });
    };
    const [gone, here] = [await answersOf("gone"), await answersOf("here")];
    const keyed = (key: string, mayRepeat: boolean) => ({ key, caller: "ann", scope: "ann things", request: { a: 1 }, mayRepeat });
    let begun = 0;
    const never = () => new Promise<never>(() => void begun++);
    void answerOnce(gone, keyed("post", false), never);
    void answerOnce(gone, keyed("put", true), never);
    await expect.poll(() => begun).toBe(2);
    await createPresence(store).leave("gone");
    await expect(answerOnce(here, keyed("post", false), () => expect.unreachable())).rejects.toMatchObject({
      status: 409,
      code: "OUTCOME_UNKNOWN",
    });
    expect(await answerOnce(here, keyed("put", true), async () => ({ status: 200, body: "done" }))).toMatchObject({ body: "done" });
  });
});

describe("a request with an Idempotency-Key", () => {
  const keyed = { key: "k1", caller: "ann", scope: "ann things", request: { a: 1 }, mayRepeat: false };
  const answersWith = (outcome: object, asked: object[] = []): Answers =>
    ({ once: async (given: object) => (asked.push(given), outcome) }) as unknown as Answers;
  const make = async () => ({ status: 200, body: "done" });

  it("is asked for once, by its scope and its key, and answered as it was", async () => {
    const asked: { key: string; settle(): Promise<string> }[] = [];
    const answers = answersWith({ outcome: "answered", value: { body: "done" } }, asked);
    expect(await answerOnce(answers, keyed, make)).toEqual({ body: "done" });
    expect(asked).toEqual([{ key: '["ann things","k1"]', caller: "ann", request: { a: 1 }, make, settle: expect.any(Function) }]);
    expect(await asked[0]!.settle()).toBe("unknown");
    await answerOnce(answers, { ...keyed, mayRepeat: true }, make);
    expect(await asked[1]!.settle()).toBe("again");
  });

  it.each<[outcome: string, status: number, code: string, said: string, more: object]>([
    ["different", 422, "IDEMPOTENCY_KEY_REUSED", "was used for a different request. Use a new one.", {}],
    ["unknown", 409, "OUTCOME_UNKNOWN", "whether the request was completed is unknown. Check, then use a new key.", {}],
    ["running", 409, "ALREADY_THERE", "is still running. Try again later.", { retryAfterMs: 1_000 }],
    ["not-kept", 409, "ALREADY_THERE", "was completed, but its answer was too large to be stored.", {}],
  ])("is refused where it was made before: %s", async (outcome, status, code, said, more) => {
    await expect(answerOnce(answersWith({ outcome }), keyed, make)).rejects.toMatchObject({
      status,
      code,
      message: expect.stringContaining(said),
      options: more,
    });
  });

  it("is refused where the key is none", async () => {
    for (const key of ["", "a b", "é", "x".repeat(256)])
      await expect(answerOnce(answersWith({ outcome: "answered" }), { ...keyed, key }, make)).rejects.toMatchObject({
        status: 400,
        code: "REQUEST_INVALID",
      });
    expect(await answerOnce(answersWith({ outcome: "answered", value: 1 }), { ...keyed, key: "x".repeat(255) }, make)).toBe(1);
  });
});
