import { EventEmitter } from "node:events";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { recordTimers } from "@toolrack/testkit/record-timers";
import type { Client } from "pg";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { listen } from "../../../src/engines/postgres/listen.ts";
import { ticketOf } from "../../../src/engines/postgres/tell-tickets.ts";
import { createWakeUps } from "../../../src/engines/postgres/wake-ups.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
  afterThisTest(() => vi.useRealTimers());
});

const settled = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0);

class FakeClient extends EventEmitter {
  readonly asked: string[] = [];
  ends = 0;
  isReachable = true;

  connect(): Promise<void> {
    return this.isReachable ? Promise.resolve() : Promise.reject(new Error("connect ECONNREFUSED"));
  }
  query(text: string): Promise<unknown> {
    this.asked.push(text);
    return Promise.resolve();
  }
  /** As the driver: a connection that ends says so. */
  end(): Promise<void> {
    this.ends += 1;
    queueMicrotask(() => this.emit("end"));
    return this.isReachable ? Promise.resolve() : Promise.reject(new Error("not connected"));
  }
  tell(payload?: string): void {
    this.emit("notification", { channel: "here", ...(payload !== undefined && { payload }) });
  }
}

function fakeClients() {
  const clients: FakeClient[] = [];
  const all = {
    clients,
    isReachable: true,
    create(): Client {
      const client = new FakeClient();
      client.isReachable = all.isReachable;
      clients.push(client);
      return client as unknown as Client;
    },
  };
  return all;
}

describe("listening on a channel", () => {
  function start(isReachable = true) {
    const all = fakeClients();
    all.isReachable = isReachable;
    const told: string[] = [];
    const listening = listen(() => all.create(), "here", {
      onMessage: (payload) => void told.push(`message ${payload}`),
      onConnected: () => void told.push("connected"),
      onLost: () => void told.push("lost"),
    });
    return { all, told, listening };
  }

  it("tells of the connection, then of each message, also of an empty one", async () => {
    const { all, told, listening } = start();
    expect(listening.isConnected).toBe(false);
    await settled();
    expect([listening.isConnected, all.clients[0]!.asked]).toEqual([true, ["listen here"]]);
    all.clients[0]!.tell("a");
    all.clients[0]!.tell();
    expect(told).toEqual(["connected", "message a", "message "]);
    expect(all.clients).toHaveLength(1);
  });

  it("opens a connection anew that broke, once, and closes the broken one", async () => {
    const { all, told, listening } = start();
    await settled();
    const [first] = all.clients;
    first!.emit("error", new Error("read ECONNRESET"));
    first!.emit("end");
    expect([listening.isConnected, first!.ends]).toEqual([false, 1]);
    await vi.advanceTimersByTimeAsync(24);
    expect(all.clients).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(all.clients).toHaveLength(2);
    expect(listening.isConnected).toBe(true);
    expect(told).toEqual(["connected", "lost", "connected"]);
  });

  it("tries ever less often where nobody answers, at least every two seconds, and soon again after it was connected", async () => {
    const timers = recordTimers("setTimeout");
    const { all } = start(false);
    await settled();
    const waits: number[] = [];
    for (let index = 0; index < 9; index++) {
      const [, ms] = timers.mock.calls.at(-1)!;
      waits.push(ms!);
      await vi.advanceTimersByTimeAsync(ms!);
    }
    expect(waits).toEqual([25, 50, 100, 200, 400, 800, 1_600, 2_000, 2_000]);
    expect(all.clients).toHaveLength(10);
    for (const { ends } of all.clients) expect(ends).toBe(1);
    all.isReachable = true;
    await vi.advanceTimersByTimeAsync(2_000);
    all.clients.at(-1)!.emit("end");
    expect(timers.mock.calls.at(-1)![1]).toBe(25);
    for (const { value } of timers.mock.results) expect((value as NodeJS.Timeout).hasRef()).toBe(false); // keeps no process
  });

  it("counts a connection as none that breaks while it is opened", async () => {
    const { all, told, listening } = start();
    all.clients[0]!.emit("error", new Error("read ECONNRESET"));
    await settled();
    expect([listening.isConnected, told]).toEqual([false, ["lost"]]);
  });

  it("takes another connection when it is told to", async () => {
    const { all, told, listening } = start();
    await settled();
    listening.reopen();
    await vi.advanceTimersByTimeAsync(25);
    expect([all.clients.length, all.clients[0]!.ends]).toEqual([2, 1]);
    expect(told).toEqual(["connected", "lost", "connected"]);
  });

  it("ends with its connection, and tries no more", async () => {
    const { all, told, listening } = start();
    await settled();
    const closing = listening.close();
    expect(listening.isConnected).toBe(false);
    await closing;
    expect([listening.isConnected, all.clients[0]!.ends > 0]).toEqual([false, true]);
    expect(vi.getTimerCount()).toBe(0);
    expect(told).toEqual(["connected"]);
  });

  it("ends also while it waits to try again, or with a connection that cannot be closed", async () => {
    const { all, listening } = start(false);
    await settled();
    expect(vi.getTimerCount()).toBe(1);
    await listening.close();
    expect(vi.getTimerCount()).toBe(0);
    expect(all.clients).toHaveLength(1);
  });

  it("ends while it connects, and does not count as connected afterwards", async () => {
    const { told, listening } = start();
    await listening.close();
    await settled();
    expect([listening.isConnected, told, vi.getTimerCount()]).toEqual([false, [], 0]);
  });
});

describe("wake-ups", () => {
  const pollMs = 1_000;

  function start(isReachable = true) {
    const all = fakeClients();
    all.isReachable = isReachable;
    const told: unknown[] = [];
    const notified: string[] = [];
    const asking: { resolve(last: number): void; reject(error: Error): void }[] = [];
    const intervals = recordTimers("setInterval");
    const wakeUps = createWakeUps({
      createClient: () => all.create(),
      channel: "here",
      notify: (payload) => {
        notified.push(payload);
        return Promise.reject(new Error("is nobody's trouble"));
      },
      lastSequence: () => new Promise((resolve, reject) => asking.push({ resolve, reject })),
      pollMs,
      onWake: () => void told.push("wake"),
      onTicket: (ticket) => void told.push(ticket),
    });
    afterThisTest(() => wakeUps.close());
    /** The message to itself arrives. */
    const prove = (): void => all.clients.at(-1)!.tell(notified.at(-1));
    /** What was told since the last look. */
    const news = (): unknown[] => told.splice(0);
    return { all, notified, asking, intervals, wakeUps, prove, news };
  }
  const all = ["wake", undefined];

  it("are proven by a message to itself, and wake everybody then, who may have missed something", async () => {
    const { wakeUps, notified, prove, news } = start();
    expect([wakeUps.isConnected, wakeUps.isProven]).toEqual([false, false]);
    await settled();
    expect([wakeUps.isConnected, wakeUps.isProven]).toEqual([true, false]);
    expect(news()).toEqual(all);
    expect(notified).toEqual([expect.stringMatching(/^test:[0-9a-f-]{36}$/)]);
    prove();
    expect(wakeUps.isProven).toBe(true);
    expect(news()).toEqual(all);
    prove();
    expect(news()).toEqual([]);
  });

  it("are not proven by the test of another server, which wakes nobody", async () => {
    const {
      all: { clients },
      wakeUps,
      news,
    } = start();
    await settled();
    news();
    clients[0]!.tell("test:00000000-0000-0000-0000-000000000000");
    expect([wakeUps.isProven, news()]).toEqual([false, []]);
  });

  it("tell records and tickets apart", async () => {
    const {
      all: { clients },
      news,
    } = start();
    await settled();
    news();
    clients[0]!.tell("");
    expect(news()).toEqual(["wake"]);
    clients[0]!.tell('ticket:["local","task","one"]');
    expect(news()).toEqual([{ owner: "local", kind: "task", name: "one" }]);
    clients[0]!.tell("ticket:?");
    expect(news()).toEqual(["wake"]);
  });

  it("ask for the number of the last change until they are proven, one question at a time", async () => {
    const { asking, prove, news } = start();
    await settled();
    news();
    await vi.advanceTimersByTimeAsync(pollMs);
    expect([asking.length, news()]).toEqual([1, [undefined]]);
    await vi.advanceTimersByTimeAsync(3 * pollMs);
    expect([asking.length, news()]).toEqual([1, []]);
    asking[0]!.resolve(5);
    await settled();
    expect(news()).toEqual(["wake"]);
    await vi.advanceTimersByTimeAsync(pollMs);
    asking[1]!.resolve(5);
    await settled();
    expect(news()).toEqual([undefined]);
    await vi.advanceTimersByTimeAsync(pollMs);
    asking[2]!.reject(new Error("away"));
    await settled();
    expect(news()).toEqual([undefined]);
    await vi.advanceTimersByTimeAsync(pollMs);
    asking[3]!.resolve(6);
    await settled();
    expect(news()).toEqual([undefined, "wake"]);
    prove();
    news();
    await vi.advanceTimersByTimeAsync(5 * pollMs);
    expect([asking.length, news()]).toEqual([4, []]);
  });

  it("are tried again every half minute, and a connection that fails the test is replaced", async () => {
    const {
      all: { clients },
      notified,
      prove,
      wakeUps,
      news,
    } = start();
    await settled();
    await vi.advanceTimersByTimeAsync(29_999);
    expect(notified).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(notified).toHaveLength(2); // not proven yet: behind a pooler it never will be
    expect(clients).toHaveLength(1);
    prove();
    await vi.advanceTimersByTimeAsync(30_000);
    expect(notified).toHaveLength(3);
    news();
    prove();
    expect(news()).toEqual([]); // nobody missed anything
    await vi.advanceTimersByTimeAsync(30_000);
    expect([notified.length, clients.length]).toEqual([4, 1]);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(wakeUps.isProven).toBe(false);
    await vi.advanceTimersByTimeAsync(100);
    expect([notified.length, clients.length, clients[0]!.ends]).toEqual([5, 2, 1]);
    prove();
    expect(wakeUps.isProven).toBe(true);
    clients[1]!.emit("error", new Error("read ECONNRESET"));
    expect([wakeUps.isProven, wakeUps.isConnected]).toEqual([false, false]);
  });

  it("are not tried where there is no connection", async () => {
    const { notified, wakeUps } = start(false);
    await vi.advanceTimersByTimeAsync(90_000);
    expect([notified, wakeUps.isConnected]).toEqual([[], false]);
  });

  it("end with all that they opened, and keep no process before that", async () => {
    const {
      all: { clients },
      intervals,
      wakeUps,
    } = start();
    await settled();
    expect(intervals.mock.results.map(({ value }) => (value as NodeJS.Timeout).hasRef())).toEqual([false, false]);
    expect(vi.getTimerCount()).toBe(2);
    await wakeUps.close();
    expect([vi.getTimerCount(), clients[0]!.ends > 0, wakeUps.isConnected]).toEqual([0, true, false]);
  });
});

describe("a message about a ticket", () => {
  it("names it, and any other message names none", () => {
    expect(ticketOf('ticket:["local","task","one"]')).toEqual({ owner: "local", kind: "task", name: "one" });
    expect(ticketOf('ticket:["local","wish","one"]')).toEqual({ owner: "local", kind: "wish", name: "one" });
    const others = ["", "test:1", '["local","task","one"]', "ticket:", "ticket:{", "ticket:null", "ticket:5", "ticket:[]"];
    const wrong = ['ticket:[null,"task","one"]', 'ticket:["local","other","one"]', 'ticket:["local","task",{}]'];
    for (const message of [...others, ...wrong]) expect(ticketOf(message)).toBeUndefined();
  });
});
