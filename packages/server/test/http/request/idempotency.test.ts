import { createAnswers, createMemoryStore, createPresence } from "@toolrack/store";
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
