import { expect, it } from "vitest";
import { createClientRequests } from "../../src/serve/questions/client-requests.ts";
import { createResultHandles } from "../../src/serve/long-results/result-handles.ts";
import { createSessions } from "../../src/serve/http/sessions/sessions.ts";
import { createSigner } from "../../src/serve/signer.ts";
import { createMemoryTaskStore } from "../../src/serve/tasks/memory-task-store.ts";
import type { StoredTask } from "../../src/serve/tasks/task-store.ts";

const call = { callId: "call-1", input: {}, caller: {} };

it("SD12: what is kept for the sessions of one principal is bounded, its oldest going first, and others keep theirs", () => {
  const sessions = createSessions({ signer: createSigner(undefined), maxAgeMs: 60_000, idleMs: 60_000, perPrincipal: 3 });
  const open = (principal: string) => sessions.read(sessions.open("2025-06-18", {}, principal), principal)!;
  const other = open("other");
  sessions.live(other);
  const greedy = Array.from({ length: 10 }, () => open("greedy"));
  for (const session of greedy) sessions.live(session);
  expect(sessions.size).toBe(4);
  expect(sessions.peek(other)).toBeDefined();
  expect(greedy.map((session) => sessions.peek(session) !== undefined)).toEqual([...Array(7).fill(false), true, true, true]);
  void sessions.end(greedy[9]!);
  expect(sessions.size).toBe(3);
  sessions.close();
});

function task(owner: string, taskId: string, status: StoredTask["status"] = "working"): StoredTask {
  const now = new Date().toISOString();
  const times = { createdAt: now, lastUpdatedAt: now, ttlMs: 60_000, pollIntervalMs: 1 };
  return { taskId, owner, tool: "t", status, ...times, inputRequests: {}, inputResponses: {}, revision: 1 };
}

it("SD12: the tasks of one owner are bounded: finished ones make room, running ones do not, and others are not refused", async () => {
  const store = createMemoryTaskStore({ maxTasksPerOwner: 2 });
  await store.create(task("a", "done", "completed"), call);
  await store.create(task("a", "1"), call);
  await store.create(task("a", "2"), call);
  expect(await store.get("done")).toBeUndefined();
  expect(() => store.create(task("a", "3"), call)).toThrow("You have 2 tasks running already");
  await store.create(task("b", "4"), call);
  expect(await store.get("1")).toBeDefined();
});

it("SD12: long results of one principal do not push out those of another", () => {
  const handles = createResultHandles({ pageLength: 10, maxLength: 400, maxLengthPerPrincipal: 100 });
  const idOf = (uri: string): string => uri.split("/").at(-2)!;
  const kept = handles.keep("other", "o".repeat(50), "t")!;
  const own = Array.from({ length: 20 }, () => handles.keep("greedy", "g".repeat(50), "t")!);
  expect(handles.read("other", idOf(kept.uri), 2)?.text).toBe("o".repeat(10));
  expect(own.filter(({ uri }) => handles.read("greedy", idOf(uri), 2) !== undefined)).toHaveLength(2);
});

it("SD12: a long result is not read after its time", () => {
  for (const [maxAgeMs, isThere] of [
    [60_000, true],
    [0, false],
  ] as const) {
    const handles = createResultHandles({ pageLength: 1_024, maxAgeMs });
    const [, id] = /results\/([^/]+)\//.exec(handles.keep("anna", "x".repeat(2_000), "long")!.uri)!;
    expect(handles.read("anna", id!, 2) !== undefined).toBe(isThere);
  }
});

it("SD12: so many questions to one client may wait", async () => {
  const asks = createClientRequests(60_000, createSigner(undefined));
  const leaving = new AbortController();
  const waiting = Array.from({ length: 32 }, () => asks.ask("s", "elicitation/create", {}, () => undefined, leaving.signal));
  await expect(asks.ask("s", "elicitation/create", {}, () => undefined, leaving.signal)).rejects.toThrow("32 questions to it wait");
  const other = asks.ask("t", "elicitation/create", {}, () => undefined, leaving.signal);
  leaving.abort();
  for (const one of await Promise.allSettled([...waiting, other]))
    expect(one).toMatchObject({ status: "rejected", reason: { code: "ANSWER_UNAVAILABLE" } });
});
