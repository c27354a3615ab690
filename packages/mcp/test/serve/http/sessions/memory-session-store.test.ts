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
});
