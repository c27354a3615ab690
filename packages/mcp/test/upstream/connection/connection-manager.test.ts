import { ToolError } from "@toolrack/core";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import type { Connection } from "../../../src/upstream/connection/client.ts";
import { createConnectionManager } from "../../../src/upstream/connection/connection-manager.ts";

const { signal } = new AbortController();
const closed = 'MCP server "hand" is closed.';

interface Made {
  readonly connection: Connection;
  readonly onLost: () => void;
  closes: number;
}

/** A manager whose connections are made by `fail`, or by hand. */
function open({ fail, maxFailures = 2 }: { fail?: () => Error | undefined; maxFailures?: number } = {}) {
  const made: Made[] = [];
  const told: string[] = [];
  const manager = createConnectionManager({
    server: "hand",
    backoffMs: 100,
    maxBackoffMs: 1_000,
    maxFailures,
    async connect(_signal, onLost) {
      const error = fail?.();
      if (error !== undefined) throw error;
      const one: Made = {
        onLost,
        closes: 0,
        connection: { era: "modern", server: { name: "s", version: "1" }, close: async () => void one.closes++ } as unknown as Connection,
      };
      made.push(one);
      return one.connection;
    },
    onConnected: () => void told.push("connected"),
    onLost: () => void told.push("lost"),
  });
  return { manager, made, told };
}

beforeEach(() => {
  // Not setImmediate: what others wait for at the end of a turn would never come.
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
  vi.spyOn(Math, "random").mockReturnValue(1);
  afterThisTest(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });
});

describe("the connection to a server", () => {
  it("is made when it is needed, once for all who wait, and told", async () => {
    const { manager, made, told } = open();
    expect(manager.status()).toEqual({ state: "idle", failures: 0 });
    const waiting = [manager.get(signal), manager.get(signal)];
    expect(manager.status()).toEqual({ state: "connecting", failures: 0 });
    const [first, second] = await Promise.all(waiting);
    expect([first === second, made.length, told]).toEqual([true, 1, ["connected"]]);
    expect(await manager.get(signal)).toBe(first);
    expect(manager.status()).toEqual({ state: "connected", era: "modern", server: { name: "s", version: "1" }, failures: 0 });
  });

  it("that cannot be made is tried again by itself, with growing pauses, in which nobody waits", async () => {
    let attempts = 0;
    const { manager } = open({ fail: () => (++attempts, new Error("no line")) });
    await expect(manager.get(signal)).rejects.toMatchObject({ code: "SOURCE_FAILED", message: 'MCP server "hand" failed: no line' });
    await expect(manager.get(signal)).rejects.toMatchObject({
      code: "CIRCUIT_OPEN",
      retryAfterMs: 100,
      message: 'MCP server "hand" is not connected and is tried again in 100 ms. MCP server "hand" failed: no line',
    });
    expect(manager.status()).toEqual({
      state: "resting",
      error: 'MCP server "hand" failed: no line',
      failures: 1,
      retryAt: Date.now() + 100,
    });
    for (const [pause, count] of [
      [100, 2],
      [200, 3],
      [400, 4],
      [800, 5],
      [1_000, 6],
      [1_000, 7],
    ] as const) {
      await vi.advanceTimersByTimeAsync(pause - 1);
      expect(attempts).toBe(count - 1);
      await vi.advanceTimersByTimeAsync(1);
      expect(attempts).toBe(count);
    }
    await manager.close();
    await vi.advanceTimersByTimeAsync(10_000);
    expect([attempts, vi.getTimerCount()]).toEqual([7, 0]);
  });

  it("that was lost is made again, and counts as stable after half a minute", async () => {
    const { manager, made, told } = open();
    await manager.get(signal);
    made[0]!.onLost();
    expect([manager.status(), made[0]!.closes]).toMatchObject([{ state: "resting", failures: 1, error: "The connection was closed." }, 1]);
    await vi.advanceTimersByTimeAsync(100);
    expect([made.length, told]).toEqual([2, ["connected", "lost", "connected"]]);
    made[0]!.onLost();
    expect(manager.status().state).toBe("connected");
    made[1]!.onLost();
    expect(manager.status().failures).toBe(2);
    await vi.advanceTimersByTimeAsync(200);
    await vi.advanceTimersByTimeAsync(30_000);
    made[2]!.onLost();
    expect(manager.status().failures).toBe(1);
  });

  it("that is lost while it is made is none", async () => {
    const lostAtOnce = createConnectionManager({
      server: "hand",
      backoffMs: 100,
      maxBackoffMs: 1_000,
      maxFailures: 2,
      connect: async (_signal, onLost) => (onLost(), { close: async () => undefined } as unknown as Connection),
      onConnected: () => undefined,
      onLost: () => undefined,
    });
    await expect(lostAtOnce.get(signal)).rejects.toThrow("The connection was closed as soon as it was made.");
    await lostAtOnce.close();
  });

  it.each(["TIMEOUT", "SOURCE_FAILED", "NEEDS_CONFIGURATION"] as const)(
    "is given up after too many requests in a row that ended with %s",
    async (code) => {
      const { manager, made } = open();
      const connection = await manager.get(signal);
      const fault = new ToolError(code, "Nothing came.");
      manager.note(connection, fault);
      manager.note(connection, undefined);
      manager.note(connection, fault);
      manager.note(connection, new ToolError("TOOL_FAILED", "An answer all the same."));
      manager.note(connection, fault);
      expect(manager.status().state).toBe("connected");
      manager.note(connection, fault);
      expect([manager.status(), made[0]!.closes]).toMatchObject([
        { state: "resting", error: "2 requests in a row failed. The last: Nothing came." },
        1,
      ]);
      manager.note(connection, fault);
      expect(manager.status().failures).toBe(1);
    },
  );

  it("whose session is gone is made again at once", async () => {
    const { manager, made } = open();
    const connection = await manager.get(signal);
    manager.drop(connection, new ToolError("SOURCE_FAILED", "The session is gone."));
    expect(manager.status()).toEqual({ state: "resting", error: "The session is gone.", failures: 1 });
    expect(await manager.get(signal)).toBe(made[1]!.connection);
  });

  it("is waited for no longer than the caller", async () => {
    const controller = new AbortController();
    const { manager } = open();
    const waiting = manager.get(controller.signal);
    controller.abort(new Error("gone"));
    await expect(waiting).rejects.toThrow("gone");
    expect(await manager.get(signal)).toBeDefined();
  });

  it("ends with its manager, also one that is being made, and is not made again", async () => {
    const { manager, made, told } = open();
    await manager.get(signal);
    await manager.close();
    expect([made[0]!.closes, manager.status().state, told]).toEqual([1, "closed", ["connected"]]);
    await expect(manager.get(signal)).rejects.toMatchObject({ code: "SOURCE_FAILED", message: closed });
    const other = open();
    const waiting = other.manager.get(signal);
    waiting.catch(() => undefined);
    await other.manager.close();
    await expect(waiting).rejects.toThrow(closed);
    expect(other.made[0]!.closes).toBe(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("is tried again a little earlier by chance, so that not all come at once", async () => {
    vi.mocked(Math.random).mockReturnValue(0);
    const { manager } = open({ fail: () => new Error("no line") });
    await expect(manager.get(signal)).rejects.toThrow("no line");
    expect(manager.status().retryAt).toBe(Date.now() + 75);
    await manager.close();
  });

  it("is told that its manager closes, which waits until every connection has ended", async () => {
    let [seen, finish]: [AbortSignal | undefined, () => void] = [undefined, () => undefined];
    const close = vi.fn(() => new Promise<void>((resolve) => (finish = resolve)));
    const manager = createConnectionManager({
      server: "hand",
      backoffMs: 100,
      maxBackoffMs: 1_000,
      maxFailures: 2,
      connect: async (given) => ((seen = given), { close } as unknown as Connection),
      onConnected: () => undefined,
      onLost: () => undefined,
    });
    await manager.get(signal);
    expect(seen!.aborted).toBe(false);
    let isClosed = false;
    void manager.close().then(() => (isClosed = true));
    await vi.advanceTimersByTimeAsync(0);
    expect([seen!.aborted, isClosed, close.mock.calls.length]).toEqual([true, false, 1]);
    finish();
    await vi.advanceTimersByTimeAsync(0);
    expect(isClosed).toBe(true);
  });

  it("that fails to end has ended all the same", async () => {
    const manager = createConnectionManager({
      server: "hand",
      backoffMs: 100,
      maxBackoffMs: 1_000,
      maxFailures: 2,
      connect: async () => ({ close: () => Promise.reject(new Error("stuck")) }) as unknown as Connection,
      onConnected: () => undefined,
      onLost: () => undefined,
    });
    await manager.get(signal);
    expect(await manager.close()).toBeUndefined();
  });
});
