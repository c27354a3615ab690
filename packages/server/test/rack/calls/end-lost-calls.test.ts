import type { Caller } from "@toolrack/core";
import { turns } from "@toolrack/testkit/turns";
import { expect, it } from "vitest";
import { endLostCalls, type EndLostCallsOptions } from "../../../src/rack/calls/end-lost-calls.ts";
import type { ApiKey, ApiKeys } from "../../../src/rack/rack.ts";

/** Why each call was ended when a key of anna ended, and she has one with these roles. */
async function ended(
  callers: Readonly<Record<string, Caller>>,
  roles: ApiKey["roles"],
  looksItself: readonly string[] = [],
): Promise<Readonly<Record<string, string>>> {
  const why: Record<string, string> = {};
  const calls = Object.entries(callers).map(([tool, caller]) => ({
    callId: tool,
    tool,
    caller,
    cancel: (error: Error) => void (why[tool] = error.message),
  }));
  let end: Parameters<ApiKeys["onEnd"]>[0] | undefined;
  endLostCalls({
    keys: {
      list: async () => [{ id: "k", agent: "anna", roles, createdAt: 0, createdBy: "test" }],
      wereMade: () => true,
      onEnd: (listener) => ((end = listener), () => undefined),
    },
    calls: { list: () => calls } as unknown as EndLostCallsOptions["calls"],
    looksItself: (tool) => looksItself.includes(tool),
    log: { debug() {}, info() {}, warn() {}, error: (message) => expect.fail(message) },
    now: () => 1_000,
  });
  end!({ id: "k", agent: "anna", isExpired: false });
  await turns(8);
  return why;
}

const anna: Caller = { agent: "anna", principal: "key anna" };

it("AH10: a call ends whose caller has lost a role, or that of the owner", async () => {
  const callers = {
    plain: anna,
    curator: { ...anna, roles: ["curator"] },
    owner: { ...anna, owner: true },
    other: { agent: "bert", principal: "key bert", roles: ["curator"] },
  };
  expect(await ended(callers, ["emitter"])).toEqual({
    curator: '"anna" does not have the role "curator" any more.',
    owner: '"anna" does not have the role "owner" any more.',
  });
  expect(await ended(callers, ["curator", "owner"])).toEqual({});
});

it("a call of a tool that looks by itself is left to it", async () => {
  expect(await ended({ helper: { ...anna, roles: ["curator"] } }, [], ["helper"])).toEqual({});
});
