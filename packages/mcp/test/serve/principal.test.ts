import type { Caller } from "@toolrack/core";
import { expect, it } from "vitest";
import { principalOf } from "../../src/serve/principal.ts";

it("S29: callers that differ in who they are, or in what they may do, share nothing; other facts change nothing", () => {
  const caller: Caller = { tenant: "t", principal: "key a", agent: "a", sender: "s", channel: "c", group: "g", owner: false, roles: ["x"] };
  const others: Partial<Caller>[] = [
    { tenant: "u" },
    { principal: "key b" },
    { agent: "b" },
    { sender: "r" },
    { channel: "d" },
    { group: "h" },
    { owner: true },
    { roles: ["x", "admin"] },
  ];
  expect(new Set([caller, ...others.map((other) => ({ ...caller, ...other }))].map(principalOf)).size).toBe(others.length + 1);
  expect(principalOf({ ...caller, model: "m", run: "r", phase: "p" })).toBe(principalOf(caller));
});
