import { describe, expect, it } from "vitest";
import { createMemorySessionStore } from "../../../../src/serve/http/sessions/memory-session-store.ts";
import { sessionStoreContract } from "./session-store-contract.ts";

sessionStoreContract("memory", async () => createMemorySessionStore({ perPrincipal: 2 }));

describe("sessions in memory", () => {
  it("make room when others have expired", async () => {
    const store = createMemorySessionStore({ perPrincipal: 2 });
    const session = (key: string, expiresAt: number) => ({ key, principal: "ada", expiresAt });
    const [past, future] = [Date.now() - 1_000, Date.now() + 600_000];
    for (const one of [session("first", future), session("old", past), session("last", future)])
      await store.change(one, (now) => ({ ...now, logLevel: "debug" }));
    expect(["first", "old", "last"].map((key) => store.settings(key).logLevel)).toEqual(["debug", undefined, "debug"]);
  });

  it("forget their settings with their end", async () => {
    const store = createMemorySessionStore();
    const session = (index: number) => ({ key: `s${index}`, principal: `p${index}`, expiresAt: Date.now() + 600_000 });
    await store.change(session(0), () => ({ logLevel: "debug" }) as never);
    await store.change(session(1), () => ({ logLevel: "debug" }) as never);
    expect(store.settings("s0")).toEqual({ logLevel: "debug" });
    const { logLevel } = store.settings("none");
    expect(logLevel).toBeUndefined();
    await store.end(session(0));
    expect([store.hasEnded("s0"), store.hasEnded("s1"), store.settings("s0").logLevel]).toEqual([true, false, undefined]);
  });

  it("that have ended are remembered, a hundred thousand of them", () => {
    const store = createMemorySessionStore();
    for (let index = 0; index <= 100_000; index++) void store.end({ key: `s${index}`, principal: "ada", expiresAt: Infinity });
    expect(["s0", "s1", "s100000"].map((key) => store.hasEnded(key))).toEqual([false, true, true]);
  });
});
