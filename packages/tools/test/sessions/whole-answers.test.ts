import { createRegistry, type ToolResult } from "@toolrack/core";
import { describe, expect, it } from "vitest";
import type { ChildRun, SessionCard, SessionsHost } from "../../src/sessions/host.ts";
import { createSessionsTools } from "../../src/sessions/sessions.ts";

const now = Date.UTC(2026, 0, 2);
const summary = {
  id: "s1",
  key: "agent:main",
  kind: "main",
  agent: "a",
  status: "idle",
  createdAt: now - 2_000,
  updatedAt: now - 1_000,
  tokens: 5,
} as const;
const card: SessionCard = { ...summary, inputTokens: 3, outputTokens: 2, queued: 1, runningChildren: 4 };
const full: SessionCard = { ...card, id: "s2", key: "agent:other", label: "tea", model: "m", costUsd: 0.12345 };

/** Sessions that answer as they are told, and what they were asked. */
function open(answers: Partial<Record<keyof SessionsHost, unknown>> = {}) {
  const asked: unknown[][] = [];
  const answer =
    (name: keyof SessionsHost) =>
    async (...given: unknown[]) => {
      asked.push([name, ...given]);
      const told = answers[name];
      return typeof told === "function" ? (told as (...given: unknown[]) => unknown)(...given) : told;
    };
  const host = {
    own: "own" in answers ? answers.own : "agent:main",
    ...Object.fromEntries(
      (["list", "history", "send", "spawn", "children", "steer", "cancel", "status", "setModel", "agents"] as const).map((name) => [
        name,
        answer(name),
      ]),
    ),
  } as unknown as SessionsHost;
  const registry = createRegistry();
  for (const tool of createSessionsTools({ open: () => host, now: () => now, redact: (text) => text.replaceAll("pearl", "…") }))
    registry.register(tool);
  const call = (name: string, input: object = {}): Promise<ToolResult> => registry.invoke(name, input);
  const data = async (name: string, input: object = {}): Promise<unknown> => {
    const result = await call(name, input);
    return result.ok ? result.data : { code: result.code, error: result.error };
  };
  return { asked, data };
}

const row = { key: "agent:main", kind: "main", agent: "a", status: "idle", updatedAt: "2026-01-01T23:59:59.000Z", tokens: 5 };
const message = (seq: number, more: object = {}) => ({ seq, at: now, message: { role: "user", content: `text ${seq}`, ...more } });
const shown = (seq: number, text = `text ${seq}`, more: object = {}) => ({
  seq,
  at: "2026-01-02T00:00:00.000Z",
  role: "user",
  text,
  ...more,
});

describe("sessions_list", () => {
  it("asks for one more than is shown, with what it was given", async () => {
    const plain = open({ list: [summary] });
    expect(await plain.data("sessions_list")).toEqual({ count: 1, sessions: [row] });
    expect(plain.asked).toEqual([["list", { limit: 101, offset: 0 }]]);
    const all = open({ list: [full, summary, summary] });
    const input = { kinds: ["main"], agentId: "a", label: "tea", search: "x", activeMinutes: 2, limit: 2, offset: 4 };
    const other = { ...row, key: "agent:other", label: "tea", model: "m" };
    expect(await all.data("sessions_list", input)).toEqual({ count: 2, sessions: [other, row], nextOffset: 6 });
    const filter = { limit: 3, offset: 4, kinds: ["main"], agentId: "a", label: "tea", search: "x", activeSince: now - 120_000 };
    expect(all.asked).toEqual([["list", filter]]);
  });

  it("shows the newest messages of each where they are wanted, without calls", async () => {
    const history = (key: string) =>
      key === "agent:main"
        ? { messages: [message(1, { calls: [{ name: "t", input: {} }] }), message(2, { role: "tool", results: [] })] }
        : undefined;
    const one = open({ list: [full, summary], history });
    expect(await one.data("sessions_list", { messageLimit: 3 })).toMatchObject({ sessions: [{ messages: [] }, { messages: [shown(1)] }] });
    expect(one.asked.slice(1)).toEqual([
      ["history", "agent:other", { limit: 3, offset: 0 }],
      ["history", "agent:main", { limit: 3, offset: 0 }],
    ]);
  });
});

describe("sessions_history", () => {
  it("shows what was said, as much as was asked for", async () => {
    const messages = [
      message(1, { from: { kind: "person", id: "p" } }),
      message(2, { content: "a pearl" }),
      message(3, {
        role: "tool",
        content: undefined,
        results: [
          { ok: true, content: "c" },
          { ok: false, error: "e" },
        ],
      }),
    ];
    const one = open({ history: { session: full, messages, more: false } });
    const facts = { sessionKey: "agent:other", truncated: false, droppedMessages: 0, contentTruncated: false, contentRedacted: true };
    const from = { from: { kind: "person", id: "p" } };
    expect(await one.data("sessions_history", { sessionKey: "tea" })).toEqual({
      ...facts,
      messages: [shown(1, "text 1", from), shown(2, "a …")],
      bytes: expect.any(Number),
    });
    expect(await one.data("sessions_history", { sessionKey: "tea", includeTools: true, limit: 7, offset: 3 })).toMatchObject({
      messages: [shown(1), shown(2, "a …"), shown(3, "c\n\ne", { role: "tool" })],
    });
    expect(one.asked).toEqual([
      ["history", "tea", { limit: 50, offset: 0 }],
      ["history", "tea", { limit: 7, offset: 3 }],
    ]);
    expect(
      await open({ history: { session: full, messages: [], more: true } }).data("sessions_history", { sessionKey: "tea" }),
    ).toMatchObject({ messages: [], truncated: true, bytes: 0, contentRedacted: false });
    expect(await open().data("sessions_history", { sessionKey: "tea" })).toMatchObject({ code: "INPUT_INVALID" });
  });
});

describe("sessions_send", () => {
  const status = (session?: string) => (session === undefined ? card : session === "agent:other" ? full : undefined);

  it("hands a message to the session that is named, and shows the reply", async () => {
    const one = open({ status, send: { status: "ok", runId: "r", reply: "a pearl" } });
    expect(await one.data("sessions_send", { sessionKey: "agent:other", message: "hi" })).toEqual({
      status: "ok",
      runId: "r",
      reply: "a …",
      sessionKey: "agent:other",
    });
    expect(one.asked[1]).toEqual(["send", "agent:other", "hi", { waitMs: 30_000, signal: expect.any(AbortSignal) }]);
    const late = open({ status, send: { status: "timeout", runId: "r" } });
    expect(await late.data("sessions_send", { sessionKey: "x", message: "hi", timeoutSeconds: 0 })).toEqual({
      status: "timeout",
      runId: "r",
      sessionKey: "x",
    });
    expect(late.asked[1]?.[3]).toMatchObject({ waitMs: 0 });
  });

  it("finds a session by its label, of one agent if that is named", async () => {
    const one = open({ status, list: [full], send: { status: "accepted", runId: "r" } });
    expect(await one.data("sessions_send", { label: "tea", message: "hi", agentId: "a" })).toEqual({
      status: "accepted",
      runId: "r",
      sessionKey: "agent:other",
    });
    expect(one.asked[0]).toEqual(["list", { label: "tea", limit: 2, offset: 0, agentId: "a" }]);
    const plain = open({ status, list: [full], send: { status: "accepted", runId: "r" } });
    await plain.data("sessions_send", { label: "tea", message: "hi" });
    expect(plain.asked[0]).toEqual(["list", { label: "tea", limit: 2, offset: 0 }]);
  });

  it.each<[string, object, object, object]>([
    [
      "outside of a session",
      { own: undefined },
      { sessionKey: "x" },
      { status: "forbidden", error: "Only a session can send to another, and this call belongs to none." },
    ],
    [
      "to itself by key",
      {},
      { sessionKey: "agent:main" },
      { status: "forbidden", error: "This is your own session. Send to another one, or go on with your task." },
    ],
    ["to itself by id", {}, { sessionKey: "s1" }, { status: "forbidden" }],
    ["without a name", {}, {}, { status: "error", error: "Name the session by sessionKey or by label, not by both." }],
    [
      "with two names",
      {},
      { sessionKey: "x", label: "y" },
      { status: "error", error: "Name the session by sessionKey or by label, not by both." },
    ],
    [
      "to two of a label",
      { list: [full, summary] },
      { label: "tea" },
      { status: "error", error: 'More than one session has the label "tea": agent:other, agent:main. Send to its key.' },
    ],
    ["to none of a label", { list: [] }, { label: "tea" }, { status: "error", error: expect.stringContaining("tea") }],
    ["to none of a key", {}, { sessionKey: "gone" }, { status: "error", error: expect.stringContaining("gone") }],
  ])("is not sent %s", async (_, answers, input, wanted) => {
    const one = open({ status, ...answers });
    expect(await one.data("sessions_send", { message: "hi", ...input })).toMatchObject(wanted);
    if (!("sessionKey" in input) || (input as { sessionKey: string }).sessionKey !== "gone")
      expect(one.asked.some(([name]) => name === "send")).toBe(false);
  });
});

describe("sessions_spawn", () => {
  it("hands on what was asked for, and the usual rest", async () => {
    const accepted = { status: "accepted", childSessionKey: "c", runId: "r" };
    const one = open({ spawn: accepted });
    expect(await one.data("sessions_spawn", { task: "t" })).toEqual(accepted);
    const whole = {
      task: "t",
      label: "l",
      agentId: "a",
      model: "m",
      thinking: "low",
      runTimeoutSeconds: 5,
      mode: "session",
      cleanup: "delete",
      tools: ["x"],
    };
    expect(await one.data("sessions_spawn", whole)).toEqual(accepted);
    expect(one.asked).toEqual([
      ["spawn", { task: "t", runTimeoutSeconds: 0, mode: "run", cleanup: "keep" }],
      ["spawn", whole],
    ]);
    expect(await open({ own: undefined }).data("sessions_spawn", { task: "t" })).toEqual({
      status: "forbidden",
      error: "Only a session can spawn others, and this call belongs to none.",
    });
  });
});

describe("subagents", () => {
  const run = (id: string, more: Partial<ChildRun> = {}): ChildRun => ({
    id,
    sessionKey: `key-${id}`,
    task: "t",
    agent: "a",
    status: "running",
    startedAt: now,
    ...more,
  });
  const children = [
    run("r1", { label: "tea", model: "m", task: "x".repeat(201) }),
    run("r2", { status: "done", endedAt: now, task: "y".repeat(200) }),
    run("r3"),
  ];

  it("lists what runs and what ended lately", async () => {
    const one = open({ children });
    const base = { agent: "a", startedAt: "2026-01-02T00:00:00.000Z" };
    expect(await one.data("subagents")).toEqual({
      active: [
        { ...base, index: 1, id: "r1", sessionKey: "key-r1", label: "tea", task: `${"x".repeat(199)}…`, model: "m", status: "running" },
        { ...base, index: 3, id: "r3", sessionKey: "key-r3", task: "t", status: "running" },
      ],
      recent: [
        { ...base, index: 2, id: "r2", sessionKey: "key-r2", task: "y".repeat(200), status: "done", endedAt: "2026-01-02T00:00:00.000Z" },
      ],
    });
    await one.data("subagents", { action: "list", recentMinutes: 1 });
    expect(one.asked).toEqual([
      ["children", { endedSince: now - 1_800_000 }],
      ["children", { endedSince: now - 60_000 }],
    ]);
  });

  it("ends children, and tells which of them ended", async () => {
    const one = open({ children, cancel: (key: string) => key === "key-r1" });
    expect(await one.data("subagents", { action: "kill", target: "all" })).toEqual({ cancelled: ["r1"] });
    expect(await one.data("subagents", { action: "cancel", target: "r3" })).toEqual({ cancelled: [] });
    expect(one.asked.filter(([name]) => name === "cancel")).toEqual([
      ["cancel", "key-r1"],
      ["cancel", "key-r3"],
      ["cancel", "key-r3"],
    ]);
  });

  it("steers one child", async () => {
    const one = open({ children, steer: { status: "steered" } });
    expect(await one.data("subagents", { action: "steer", target: "tea", message: "left" })).toEqual({ steered: "r1" });
    expect(one.asked[1]).toEqual(["steer", "key-r1", "left"]);
  });

  it.each<[object, object, string]>([
    [{}, { action: "kill" }, 'The action kill needs a target: an id, a label, an index, "last" or "all".'],
    [{}, { action: "steer", target: "r1" }, "The action steer needs a message."],
    [
      {},
      { action: "steer", target: "all", message: "m" },
      "Only one child is steered at a time. Name it by its id, its label or its index.",
    ],
    [
      { steer: { status: "wait", retryAfterMs: 1_001 } },
      { action: "steer", target: "r1", message: "m" },
      "r1 was steered a moment ago. Steer it again in 2 s, with all that it has to know.",
    ],
    [
      { steer: { status: "ended" } },
      { action: "steer", target: "r1", message: "m" },
      "r1 has ended. Read its result in its history, or spawn another one.",
    ],
    [{}, { action: "steer", target: "r1", message: "m" }, "r1 has ended. Read its result in its history, or spawn another one."],
    [
      { status: card },
      { action: "steer", target: "s1", message: "m" },
      "A session cannot steer itself this way. Name one of your children.",
    ],
    [{ status: card }, { action: "kill", target: "agent:main" }, "A session cannot end itself this way. Name one of your children."],
    [
      { children: [run("r1", { label: "tea" }), run("r2", { label: "tea" })] },
      { action: "kill", target: "tea" },
      '2 running children have the label "tea". Name one by its id: r1, r2.',
    ],
  ])("with %j refuses %j", async (answers, input, error) => {
    expect(await open({ children, ...answers }).data("subagents", input)).toEqual({
      code: "INPUT_INVALID",
      error: expect.stringContaining(error),
    });
  });
});

describe("session_status", () => {
  const time = "2026-01-02T00:00:00.000Z";
  const fields = {
    kind: "main",
    agent: "a",
    status: "idle",
    updatedAt: "2026-01-01T23:59:59.000Z",
    tokens: 5,
    inputTokens: 3,
    outputTokens: 2,
    time,
    queued: 1,
    runningChildren: 4,
  };

  it("is a card of the own session, or of the one that is named", async () => {
    expect(await open({ status: card }).data("session_status")).toEqual({
      ...fields,
      sessionKey: "agent:main",
      changedModel: false,
      card: `Session agent:main: idle\nModel: not known\nTokens: 3 in, 2 out\nWaiting messages: 1; running children: 4\nTime: ${time}`,
    });
    const other = open({ status: full });
    expect(await other.data("session_status", { sessionKey: "tea" })).toEqual({
      ...fields,
      sessionKey: "agent:other",
      label: "tea",
      model: "m",
      costUsd: 0.12345,
      changedModel: false,
      card: `Session agent:other (tea): idle\nModel: m\nTokens: 3 in, 2 out\nCost: $0.1235\nWaiting messages: 1; running children: 4\nTime: ${time}`,
    });
    expect(other.asked).toEqual([
      ["status", "tea"],
      ["status", "tea"],
    ]);
  });

  it("changes the model, or takes the usual one again", async () => {
    const one = open({ status: card, setModel: { ok: true, changed: true } });
    expect(await one.data("session_status", { model: "n" })).toMatchObject({ changedModel: true });
    await one.data("session_status", { model: "default" });
    expect(one.asked.filter(([name]) => name === "setModel")).toEqual([
      ["setModel", "agent:main", "n"],
      ["setModel", "agent:main", undefined],
    ]);
    expect(await open({ status: card, setModel: { ok: true, changed: false } }).data("session_status", { model: "n" })).toMatchObject({
      changedModel: false,
    });
    expect(
      await open({ status: card, setModel: { ok: false, error: "No such model." } }).data("session_status", { model: "n" }),
    ).toMatchObject({ code: "INPUT_INVALID", error: expect.stringContaining("No such model.") });
    expect(await open({ status: card }).data("session_status", { model: "n" })).toMatchObject({ code: "TOOL_NOT_ALLOWED" });
  });

  it("is refused where there is no such session", async () => {
    expect(await open({ own: undefined }).data("session_status")).toMatchObject({
      code: "INPUT_INVALID",
      error: expect.stringContaining("This call belongs to no session."),
    });
    expect(await open().data("session_status", { sessionKey: "gone" })).toMatchObject({
      code: "INPUT_INVALID",
      error: expect.stringContaining("gone"),
    });
  });
});
