import type { ToolResult } from "@toolrack/core";
import { createMemoryStore, createTickets, StoreError, type Tickets } from "@toolrack/store";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { turns } from "@toolrack/testkit/turns";
import { until } from "@toolrack/testkit/until";
import { describe, expect, it } from "vitest";
import { createSharedCalls } from "../../../src/rack/calls/shared-calls.ts";

type Options = Parameters<typeof createSharedCalls>[0];

const result: ToolResult = { ok: true, content: "done", meta: { callId: "c", tool: "t", durationMs: 1 } };
const stored = { callId: "c", tool: "t", caller: {}, input: {}, ok: true, output: "done", durationMs: 1, at: 0, startedAt: 0 };

async function openTickets(): Promise<Tickets> {
  const store = await createMemoryStore();
  afterThisTest(() => store.close());
  return createTickets(store);
}

function openOn(tickets: Tickets, local: Partial<Options["local"]>, show: () => Promise<unknown>): ReturnType<typeof createSharedCalls> {
  return createSharedCalls({
    tickets,
    local: { get: () => undefined, list: () => [], endedLately: () => false, ...local },
    calls: { show, running: async () => [], open: () => [] },
    ownName: () => "here",
    log: { error: () => expect.unreachable() },
    now: () => Date.now(),
    asking: async () => [],
  } as unknown as Options);
}

const open = async (local: Partial<Options["local"]>, show: () => Promise<unknown>) => openOn(await openTickets(), local, show);

describe("whoever waits for a call", () => {
  // row: F21
  it("has the result of a call on this server as soon as it is there, without a timer in between", async () => {
    let end!: (value: ToolResult) => void;
    const here = { result: new Promise<ToolResult>((resolve) => (end = resolve)), caller: {} };
    const calls = await open({ get: () => here as never }, async () => undefined);
    let answer: ToolResult | undefined;
    void calls.waitFor("c").then((value) => (answer = value));
    await turns();
    expect(answer).toBeUndefined();
    end(result);
    await turns();
    expect(answer).toBe(result);
  });

  it("has the result of a call elsewhere as soon as its end is told", async () => {
    let isOver = false;
    const calls = await open({}, async () => (isOver ? stored : undefined));
    let answer: ToolResult | undefined;
    void calls.waitFor("c").then((value) => (answer = value));
    await turns();
    expect(answer).toBeUndefined();
    isOver = true;
    calls.onEndElsewhere("c");
    await turns();
    expect(answer).toMatchObject({ ok: true });
  });

  it("is told of the time limit, and of leaving, and is forgotten then", async () => {
    const calls = await open({}, async () => undefined);
    await expect(calls.waitFor("c", { timeoutMs: 1 })).rejects.toThrow("did not end within 1 ms");
    await expect(calls.waitFor("c", { signal: AbortSignal.abort(new Error("gone")) })).rejects.toThrow("gone");
  });

  describe("of another server", () => {
    /** The server that runs the call "c", and one that waits for it. */
    async function two() {
      const tickets = await openTickets();
      const ended = { isOver: false };
      const reasons: string[] = [];
      const call = { cancel: (reason: string) => void reasons.push(reason), caller: {} };
      const show = async () => (ended.isOver ? stored : undefined);
      const get = (callId: string) => (callId === "c" && !ended.isOver ? (call as never) : undefined);
      const runs = openOn(tickets, { get }, show);
      const waits = openOn(tickets, {}, show);
      return { tickets, ended, reasons, runs, waits };
    }

    it("is told of its end, and nothing of the wait is left", async () => {
      const { tickets, ended, runs, waits } = await two();
      const answers = [waits.waitFor("c"), waits.waitFor("c")];
      await until(async () => (await tickets.list("wish")).length === 1);
      await turns();
      ended.isOver = true;
      runs.onEnd("c");
      expect(await Promise.all(answers)).toMatchObject([{ ok: true }, { ok: true }]);
      await until(async () => (await tickets.list("wish")).length === 0);
    });

    it("is told of an end that came before the request", async () => {
      const tickets = await openTickets();
      let isRemoved = false;
      const remove: Tickets["remove"] = (kind, name) => {
        isRemoved = true;
        return tickets.remove(kind, name);
      };
      openOn({ ...tickets, remove }, { endedLately: (callId) => callId === "c" }, async () => undefined);
      const waits = openOn(tickets, {}, async () => (isRemoved ? stored : undefined));
      expect(await waits.waitFor("c")).toMatchObject({ ok: true });
    });

    it("is told of an end that comes while it looks", async () => {
      const tickets = await openTickets();
      let looks = 0;
      const waits = openOn(tickets, {}, async () => {
        looks += 1;
        if (looks > 2) return stored;
        // It is recorded right after this look, and then the ticket is removed.
        if (looks === 2) expect(await tickets.remove("wish", "c")).toBe(true);
        return undefined;
      });
      expect(await waits.waitFor("c")).toMatchObject({ ok: true });
    });

    it("is told where the call ended and is not in the log", async () => {
      const { tickets, runs, waits } = await two();
      const answer = waits.waitFor("c");
      const failed = expect(answer).rejects.toThrow('The call "c" ended, and is not in the log.');
      await until(async () => (await tickets.list("wish")).length === 1);
      runs.onEndElsewhere("c");
      await failed;
    });

    it("can cancel it, with a reason, also while somebody waits for it", async () => {
      const { tickets, ended, reasons, runs, waits } = await two();
      await waits.cancel("c", "not needed");
      await until(() => reasons.length > 0);
      expect(new Set(reasons)).toEqual(new Set(["not needed"]));
      const answer = waits.waitFor("c");
      await waits.cancel("c", "again");
      await until(() => reasons.includes("again"));
      await waits.cancel("other", "nobody runs it");
      ended.isOver = true;
      runs.onEnd("c");
      expect(await answer).toMatchObject({ ok: true });
      expect((await tickets.list("wish")).map(({ name }) => name)).toEqual(["other"]);
    });

    it("leaves a call alone that runs on, however often the ticket changes", async () => {
      const { tickets, waits } = await two();
      let isSettled = false;
      void waits
        .waitFor("c")
        .finally(() => (isSettled = true))
        .catch(() => undefined);
      await until(async () => (await tickets.list("wish")).length === 1);
      const [wish] = await tickets.list("wish");
      for (const version of [2, 3]) expect(await tickets.replace({ ...wish!, version })).toBe(true);
      await turns();
      expect(isSettled).toBe(false);
    });
  });
});

describe("a look at the store that fails", () => {
  const openFailing = (): { readonly told: unknown[]; readonly lines: string[]; fail(error: unknown): void } => {
    const told: unknown[] = [];
    const lines: string[] = [];
    let fail!: (error: unknown) => void;
    createSharedCalls({
      tickets: { follow: (_kind: string, { onError }: { onError(error: unknown): void }) => (fail = onError) },
      onStoreFailed: (error: unknown) => told.push(error),
      log: { error: (line: string) => lines.push(line) },
    } as unknown as Options);
    return { told, lines, fail };
  };

  it("is told to the watch of the store, which logs an outage once, however often it is repeated", () => {
    const { told, lines, fail } = openFailing();
    const away = new StoreError("STORE_UNAVAILABLE", "The database does not answer.");
    for (const _ of [1, 2, 3]) fail(away);
    expect(lines).toEqual([]);
    expect(told).toEqual([away, away, away]);
  });

  it("is a line of the log if the store is not the cause", () => {
    const { told, lines, fail } = openFailing();
    fail(new TypeError("That should not be."));
    expect(lines).toEqual(["Waiting calls could not be updated."]);
    expect(told).toEqual([]);
  });
});
