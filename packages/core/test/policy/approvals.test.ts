import { describe, expect, it } from "vitest";
import { type ApprovedCall, createApprovalMemory } from "../../src/policy/approvals.ts";
import type { Clock } from "../../src/util/clock.ts";

const call: ApprovedCall = { tool: "exec", digest: "sha256:1", caller: { agent: "a", session: "s", tenant: "t" } };
const others: readonly [string, ApprovedCall][] = [
  ["other arguments", { ...call, digest: "sha256:2" }],
  ["another tool", { ...call, tool: "write" }],
  ["another agent", { ...call, caller: { ...call.caller, agent: "b" } }],
  ["another tenant", { ...call, caller: { ...call.caller, tenant: "u" } }],
  ["nobody known", { ...call, caller: {} }],
];

function clockAt(time: { now: number }): Clock {
  return { now: () => time.now, after: () => () => undefined };
}

describe("a yes", () => {
  it("that nobody gave is none", () => {
    expect(createApprovalMemory().take(call)).toBeUndefined();
  });

  it("for one call is spent by that call", () => {
    const memory = createApprovalMemory();
    memory.remember({ ...call, scope: "once" });
    expect(memory.take(call)).toBe("once");
    expect(memory.take(call)).toBeUndefined();
    expect(memory.list()).toEqual([]);
  });

  it("given twice for one call is good for two calls", () => {
    const memory = createApprovalMemory();
    memory.remember({ ...call, scope: "once" });
    memory.remember({ ...call, scope: "once" });
    expect([memory.take(call), memory.take(call), memory.take(call)]).toEqual(["once", "once", undefined]);
  });

  it("for one call goes stale", () => {
    const time = { now: 0 };
    const memory = createApprovalMemory({ clock: clockAt(time), onceForMs: 100 });
    memory.remember({ ...call, scope: "once" });
    time.now = 100;
    expect(memory.list()).toEqual([]);
    expect(memory.take(call)).toBeUndefined();
  });

  it("for the session lets the second call pass, in that session only", () => {
    const memory = createApprovalMemory();
    memory.remember({ ...call, scope: "session" });
    expect([memory.take(call), memory.take(call)]).toEqual(["session", "session"]);
    expect(memory.take({ ...call, caller: { ...call.caller, session: "other" } })).toBeUndefined();
  });

  it("for a session that is not known is a yes for one call", () => {
    const memory = createApprovalMemory();
    const nowhere = { ...call, caller: { agent: "a" } };
    memory.remember({ ...nowhere, scope: "session" });
    expect([memory.take(nowhere), memory.take(nowhere)]).toEqual(["once", undefined]);
  });

  it("for always holds in every session, until it is forgotten", () => {
    const memory = createApprovalMemory();
    memory.remember({ ...call, scope: "always" });
    expect(memory.take({ ...call, caller: { ...call.caller, session: "other" } })).toBe("always");
    expect(memory.list()).toMatchObject([{ tool: "exec", scope: "always" }]);
    expect(memory.forget({ ...call, scope: "always" })).toBe(true);
    expect(memory.forget({ ...call, scope: "always" })).toBe(false);
    expect(memory.take(call)).toBeUndefined();
  });

  describe.each(["once", "session", "always"] as const)("for %s", (scope) => {
    it.each(others)("does not hold for %s", (_who, other) => {
      const memory = createApprovalMemory();
      memory.remember({ ...call, scope });
      expect(memory.take(other)).toBeUndefined();
      expect(memory.take(call)).toBe(scope);
    });
  });

  it("may cover all arguments of a tool where the person says so, but never for one call", () => {
    const memory = createApprovalMemory();
    memory.remember({ ...call, scope: "session", covers: "tool" });
    expect(memory.take({ ...call, digest: "sha256:2" })).toBe("session");
    const single = createApprovalMemory();
    single.remember({ ...call, scope: "once", covers: "tool" });
    expect(single.take({ ...call, digest: "sha256:2" })).toBeUndefined();
  });

  it("names with odd characters are not confused", () => {
    const memory = createApprovalMemory();
    memory.remember({ tool: 'x","y', digest: "d", caller: {}, scope: "always" });
    expect(memory.take({ tool: "x", digest: 'y","d', caller: {} })).toBeUndefined();
  });

  it("that is one too many makes the oldest forgotten", () => {
    const memory = createApprovalMemory({ maxEntries: 2 });
    for (const tool of ["a", "b", "c"]) memory.remember({ ...call, tool, scope: "always" });
    expect(["a", "b", "c"].map((tool) => memory.take({ ...call, tool }))).toEqual([undefined, "always", "always"]);
  });
});
