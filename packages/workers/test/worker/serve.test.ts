import { defineTool } from "@toolrack/core";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { turns } from "@toolrack/testkit/turns";
import { until } from "@toolrack/testkit/until";
import { describe, expect, it, vi } from "vitest";
import { createIdentity, createMemoryBroker, serveWorker } from "../../src/index.ts";
import { hashOf, toCard } from "../../src/protocol/card.ts";
import { createExchange, type Exchange } from "../../src/protocol/exchange.ts";
import { printOf, readKeys } from "../../src/protocol/identity.ts";
import type { ToServer, ToWorker } from "../../src/protocol/messages.ts";
import { createSeal } from "../../src/protocol/seal.ts";
import { subjectsOf } from "../../src/protocol/subjects.ts";

const server = createIdentity();
const worker = createIdentity();
const subjects = subjectsOf("web");

/** A worker with a tool that waits until it is let go, and a server that says what a test wants. */
async function open(slots = 2) {
  const ran: unknown[] = [];
  const aborted: unknown[] = [];
  let release: () => void = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  const tool = defineTool({
    name: "wait",
    description: "Waits.",
    inputSchema: { type: "object" },
    async handler(input, { signal }) {
      ran.push(input);
      signal.addEventListener("abort", () => aborted.push((signal.reason as { code?: string }).code));
      await released;
      return "done";
    },
  });
  const broker = createMemoryBroker();
  const served = await serveWorker({
    link: broker.connect(),
    tools: [tool],
    pool: "web",
    slots,
    privateKey: worker.privateKey,
    servers: [server.publicKey],
  });
  afterThisTest(() => (release(), served.close()));
  const seal = createSeal({ side: "server", keys: readKeys(server.privateKey), trusted: [worker.publicKey], now: Date.now });
  const link = broker.connect();
  const heard: { readonly kind: ToServer["kind"]; readonly call: string; readonly why?: string }[] = [];
  const halves = new Map<string, Exchange>();
  const inbox = subjects.server(printOf(server.publicKey), seal.self.instance);
  link.subscribe(inbox, (message) => {
    const { kind, call, ...rest } = seal.open<ToServer>(inbox, message)!.body;
    if (kind === "accept") seal.beginCall(served.instance, call, halves.get(call)!, (rest as { exchange: string }).exchange);
    heard.push({ kind, call, ...("why" in rest && { why: rest.why }) });
  });
  const own = createExchange();
  const met = new Promise<void>((resolve) =>
    link.subscribe(subjects.news, (message) => {
      const hello = seal.openSigned<{ kind: string; exchange: string }>(subjects.news, message);
      if (hello?.body.kind === "hello" && seal.pairWith(hello.from, own, hello.body.exchange)) resolve();
    }),
  );
  link.publish(subjects.roll, seal.signed(subjects.roll, { kind: "roll" }));
  await met;
  link.publish(served.subject, seal.signed(served.subject, { kind: "greeting", exchange: own.publicKey }));
  const say = async (...messages: object[]): Promise<void> => {
    for (const message of messages) {
      // What is said of a call without keys cannot be sent.
      const sealed = seal.sealed(served.subject, served.instance, message as ToWorker);
      if (sealed !== undefined) link.publish(served.subject, sealed);
      await turns();
    }
  };
  const offer = (call: string, more: object = {}): object => {
    const half = createExchange();
    halves.set(call, half);
    return { kind: "offer", call, tool: "wait", hash: hashOf(toCard(tool)), exchange: half.publicKey, ...more };
  };
  const run = (call: string, more: object = {}): object => ({
    kind: "run",
    call,
    task: { callId: call, input: { call }, caller: { agent: "a" }, ...more },
  });
  return { served, ran, aborted, release, heard, say, offer, run };
}

describe("a worker", () => {
  it("runs nothing that was not offered, or that it did not accept", async () => {
    const { say, offer, run, ran, heard } = await open();
    await say(run("1"), offer("2", { hash: "0".repeat(32) }), run("2"), offer("3", { tool: "__proto__" }), run("3"));
    expect(ran).toEqual([]);
    expect(heard).toEqual([
      { kind: "refuse", call: "2", why: "definition" },
      { kind: "refuse", call: "3", why: "definition" },
    ]);
  });

  it("runs an accepted call once, however often it is told to", async () => {
    const { say, offer, run, ran, release, heard } = await open();
    await say(offer("1"), run("1"), run("1"));
    expect(ran).toEqual([{ call: "1" }]);
    release();
    await until(() => heard.some(({ kind }) => kind === "end"));
    await say(run("1"));
    expect(ran).toEqual([{ call: "1" }]);
    expect(heard.map(({ kind }) => kind)).toEqual(["accept", "end"]);
  });

  it("accepts no offer without a half of an agreement, and none of a call that it has", async () => {
    const { say, offer, run, ran, heard, served } = await open();
    const second = offer("2");
    await say(offer("1", { exchange: "nonsense" }), second, run("2"), second);
    expect([ran, heard, served.running]).toEqual([[{ call: "2" }], [{ kind: "accept", call: "2" }], 1]);
  });

  it("runs no call that was taken back", async () => {
    const { say, offer, run, ran, served } = await open();
    await say(offer("1"), { kind: "cancel", call: "1" }, run("1"));
    expect([ran, served.running]).toEqual([[], 0]);
  });

  it("accepts no more offers than it has slots, and none while it drains", async () => {
    const { say, offer, run, heard, served } = await open(2);
    await say(offer("1"), offer("2"), offer("3"), run("1"), { kind: "cancel", call: "2" });
    void served.drain();
    await say(offer("4"));
    expect(heard).toEqual([
      { kind: "accept", call: "1" },
      { kind: "accept", call: "2" },
      { kind: "refuse", call: "3", why: "full" },
      { kind: "refuse", call: "4", why: "draining" },
    ]);
  });

  it("frees the slot of an offer that no server confirms", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    afterThisTest(() => void vi.useRealTimers());
    const { say, offer, run, heard, ran, served } = await open(1);
    await say(offer("1"));
    vi.advanceTimersByTime(10_000);
    await say(offer("2"), run("1"), run("2"));
    expect(heard.map(({ kind, call }) => [kind, call])).toEqual([
      ["accept", "1"],
      ["accept", "2"],
    ]);
    expect(ran).toEqual([{ call: "2" }]);
    expect(served.running).toBe(1);
  });

  it("aborts a call whose time is over, also where its server says nothing more", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    afterThisTest(() => void vi.useRealTimers());
    const { say, offer, run, aborted } = await open();
    await say(offer("1"), run("1", { timeoutMs: 5_000 }));
    vi.advanceTimersByTime(4_999);
    expect(aborted).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(aborted).toEqual(["TIMEOUT"]);
  });
});
