import { describe, expect, it } from "vitest";
import { showHistory } from "../../src/sessions/shown-history.ts";
import { mayUse, type SessionDeed, type SessionViewer, type Sight, type SightedSession, viewerOf } from "../../src/sessions/sight.ts";

const deeds: readonly SessionDeed[] = ["list", "read", "send", "steer", "cancel", "change-model"];
const allowed = (session: Partial<SightedSession>, viewer: Partial<SessionViewer>): string =>
  deeds
    .filter((deed) =>
      mayUse(
        { id: "s2", agent: "main", principal: "ada", ancestors: [], ...session },
        { agent: "main", session: "s1", sight: "tree", peers: [], tenant: undefined, principal: "ada", ...viewer },
        deed,
      ),
    )
    .join(" ");

describe("what a session may do with another", () => {
  const all = deeds.join(" ");
  const look = "list read send";
  it.each<[what: string, session: Partial<SightedSession>, viewer: Partial<SessionViewer>, may: string]>([
    ["itself", { id: "s1" }, {}, "list read send change-model"],
    ["itself, with sight of itself alone", { id: "s1" }, { sight: "self" }, "list read send change-model"],
    ["its child", { ancestors: ["s0", "s1"] }, {}, all],
    ["its child, with sight of itself alone", { ancestors: ["s1"] }, { sight: "self" }, "steer cancel change-model"],
    ["one of its agent, with sight of its tree", {}, {}, ""],
    ["one of its agent, with sight of it", {}, { sight: "agent" }, look],
    ["one of its agent, with sight of all", {}, { sight: "all" }, look],
    ["one of another agent, with sight of its own", { agent: "other" }, { sight: "agent", peers: ["*"] }, ""],
    ["one of another agent, whom it may not talk to", { agent: "other" }, { sight: "all", peers: ["third"] }, ""],
    ["one of another agent, whom it may talk to", { agent: "other" }, { sight: "all", peers: ["other"] }, look],
    ["one of another agent, where all may talk", { agent: "other" }, { sight: "all", peers: ["*"] }, look],
    ["one of another tenant", { id: "s1", tenant: "t" }, { sight: "all" }, ""],
    ["one that it started from outside", {}, { session: undefined }, all],
    ["one of another identity, from outside", { principal: "bob" }, { session: undefined }, ""],
    ["one of another agent, from outside", { agent: "other" }, { session: undefined }, ""],
    ["one of nobody, from outside", { principal: undefined }, { session: undefined, principal: undefined }, ""],
    ["one without an agent who looks", { agent: "other" }, { agent: undefined, sight: "all", peers: ["*"] }, ""],
  ])("%s", (_what, session, viewer, may) => expect(allowed(session, viewer)).toBe(may));

  it("depends on who calls, and on a session only if it is the caller's own", () => {
    const own: SightedSession = { id: "s1", agent: "main", tenant: "t", principal: "ada", ancestors: [] };
    const caller = { agent: "main", tenant: "t", principal: "ada" };
    const seen = { agent: "main", tenant: "t", principal: "ada", session: "s1", sight: "tree", peers: [] };
    expect(viewerOf(caller, own, {})).toEqual(seen);
    expect(viewerOf(caller, undefined, {}).session).toBeUndefined();
    for (const other of [{ agent: "other" }, { tenant: "u" }, { principal: "bob" }])
      expect(viewerOf(caller, { ...own, ...other }, {}).session).toBeUndefined();
    for (const [sight, sandboxed] of [
      ["self", "self"],
      ["tree", "tree"],
      ["agent", "tree"],
      ["all", "tree"],
    ] as [Sight, Sight][]) {
      expect(viewerOf(caller, own, { sight }).sight).toBe(sight);
      expect(viewerOf({ ...caller, sandboxed: true }, own, { sight }).sight).toBe(sandboxed);
    }
    const peers = (agent: string | undefined, agentToAgent: readonly string[]) =>
      viewerOf({ ...caller, ...(agent === undefined ? { agent: undefined } : { agent }) } as never, own, { agentToAgent }).peers;
    expect([peers("main", ["main", "other"]), peers("main", ["other"]), peers("main", ["*"]), peers(undefined, ["*"])]).toEqual([
      ["main", "other"],
      [],
      ["*"],
      [],
    ]);
  });
});

describe("messages as another session reads them", () => {
  const at = Date.UTC(2026, 0, 2);
  const stored = (seq: number, message: object) => ({ seq, at: at + seq, message }) as never;
  const show = (messages: readonly never[], more: object = {}) =>
    showHistory(messages, { redact: (text) => text.replaceAll("s3cret", "[…]"), includeTools: false, maxBytes: 10_000, ...more });
  const bytesOf = (messages: readonly object[]) => messages.reduce((sum, one) => sum + Buffer.byteLength(JSON.stringify(one)) + 1, 0);

  it("are texts with their origin, and calls and results where these are wanted", () => {
    const messages = [
      stored(1, { role: "user", content: "Hello.", from: { kind: "person", id: "ada", more: 1 }, image: "x" }),
      stored(2, { role: "assistant", calls: [{ name: "echo", input: { a: 1 } }], from: { kind: "agent" } }),
      stored(3, {
        role: "tool",
        results: [
          { ok: true, content: "one", error: "no" },
          { ok: false, content: "no", error: "two" },
        ],
      }),
    ];
    const time = (seq: number) => new Date(at + seq).toISOString();
    const first = { seq: 1, at: time(1), role: "user", text: "Hello.", from: { kind: "person", id: "ada" } };
    const second = { seq: 2, at: time(2), role: "assistant", text: "", from: { kind: "agent" } };
    expect(show(messages)).toEqual({ messages: [first, second], dropped: 0, cut: false, redacted: false, bytes: bytesOf([first, second]) });
    const whole = [
      first,
      { ...second, calls: [{ tool: "echo", input: '{"a":1}' }] },
      { seq: 3, at: time(3), role: "tool", text: "one\n\ntwo" },
    ];
    expect(show(messages, { includeTools: true })).toEqual({
      messages: whole,
      dropped: 0,
      cut: false,
      redacted: false,
      bytes: bytesOf(whole),
    });
  });

  it("have no secrets, and a length", () => {
    const textOf = (content: string) => {
      const { messages, cut, redacted } = show([stored(1, { role: "user", content })]);
      return [messages[0]!.text, cut, redacted];
    };
    expect(textOf("a s3cret b")).toEqual(["a […] b", false, true]);
    expect(textOf("x".repeat(4_000))).toEqual(["x".repeat(4_000), false, false]);
    expect(textOf("x".repeat(4_001))).toEqual([`${"x".repeat(3_999)}…`, true, false]);
    expect(textOf("x".repeat(100_000))).toEqual([`${"x".repeat(3_999)}…`, true, false]);
    expect(textOf(`${"x".repeat(3_998)}😀😀`)).toEqual([`${"x".repeat(3_998)}…`, true, false]);
    expect(textOf(`${"s3cret".repeat(12_000)}`)).toEqual([`${"[…]".repeat(1_333)}…`, true, true]);
  });

  it("are the newest that fit, and only of these it is said that something was taken out", () => {
    const messages = [
      stored(1, { role: "user", content: `s3cret ${"x".repeat(5_000)}` }),
      stored(2, { role: "user", content: "b" }),
      stored(3, { role: "user", content: "c" }),
    ];
    const { bytes } = show(messages.slice(1));
    expect(show(messages, { maxBytes: bytes })).toMatchObject({ dropped: 1, cut: false, redacted: false, bytes });
    expect(show(messages, { maxBytes: bytes }).messages.map(({ seq }) => seq)).toEqual([2, 3]);
    expect(show(messages, { maxBytes: bytes - 1 }).messages.map(({ seq }) => seq)).toEqual([3]);
    expect(show(messages)).toMatchObject({ dropped: 0, cut: true, redacted: true });
  });

  it("name at most fifty calls", () => {
    const calls = Array.from({ length: 60 }, (_, index) => ({ name: `t${index}`, input: {} }));
    expect(show([stored(1, { role: "assistant", content: "", calls })], { includeTools: true }).messages[0]!.calls).toHaveLength(50);
  });
});
