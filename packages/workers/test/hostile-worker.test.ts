import { createRegistry, defineTool } from "@toolrack/core";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { turns } from "@toolrack/testkit/turns";
import { until } from "@toolrack/testkit/until";
import { describe, expect, it } from "vitest";
import { createIdentity, createMemoryBroker, type Link, serveWorker, workerSource } from "../src/index.ts";
import { toCard } from "../src/protocol/card.ts";
import { createExchange } from "../src/protocol/exchange.ts";
import { printOf, readKeys } from "../src/protocol/identity.ts";
import type { ToServer, ToWorker } from "../src/protocol/messages.ts";
import { createSeal, type Seal } from "../src/protocol/seal.ts";
import { subjectsOf } from "../src/protocol/subjects.ts";

const server = createIdentity();
const worker = createIdentity();
const other = createIdentity();
const subjects = subjectsOf("web");
const tool = defineTool({ name: "t", description: "T.", inputSchema: { type: "object" }, handler: () => "done" });
/** JSON of it is an object that cannot become a text or a number. */
const stubborn = { toString: 1, valueOf: 1 };

const sealOf = (privateKey: string): Seal =>
  createSeal({ side: "worker", keys: readKeys(privateKey), trusted: [server.publicKey], now: Date.now });

/** A pool whose only worker has a trusted key, accepts every offer, and answers a call with these messages. */
async function openPool(answers: readonly object[], beforeAccept: readonly object[] = []) {
  const broker = createMemoryBroker();
  const seal = sealOf(worker.privateKey);
  const own = createExchange();
  const link = broker.connect();
  const inbox = subjects.worker(printOf(worker.publicKey), seal.self.instance);
  link.subscribe(inbox, (message) => {
    const greeting = seal.openSigned<{ exchange: string }>(inbox, message);
    if (greeting !== undefined) return void seal.pairWith(greeting.from, own, greeting.body.exchange);
    const { from, body } = seal.open<ToWorker>(inbox, message)!;
    const subject = subjects.server(printOf(from.key), from.instance);
    const reply = (one: object): void => {
      const sealed = seal.sealed(subject, from.instance, { call: body.call, ...one } as ToServer);
      if (sealed !== undefined) link.publish(subject, sealed);
    };
    if (body.kind === "run") answers.forEach(reply);
    if (body.kind !== "offer") return;
    const half = createExchange();
    seal.beginCall(from.instance, body.call, half, body.exchange);
    beforeAccept.forEach(reply);
    reply({ kind: "accept", exchange: half.publicKey });
  });
  const tell = (body: object, by: Seal = seal): void => link.publish(subjects.news, by.signed(subjects.news, body));
  const hello = { kind: "hello", slots: 4, startedAt: 0, tools: [toCard(tool)], exchange: own.publicKey, link: link.name };
  link.subscribe(subjects.roll, () => tell(hello));
  const source = workerSource({
    link: broker.connect(),
    pool: "web",
    privateKey: server.privateKey,
    workers: [worker.publicKey, other.publicKey],
  });
  const registry = createRegistry();
  afterThisTest(() => registry.close());
  await registry.addSource(source);
  return { registry, source, tell, hello, seal };
}

describe("a server whose worker has a trusted key, and sends nonsense", () => {
  it.each<[string, object]>([
    ["a level of the log that every object has", { kind: "log", level: "__proto__", message: "x" }],
    ["a level of the log that is a function of every object", { kind: "log", level: "__defineGetter__", message: "x", fields: {} }],
    ["a line of the log that is no text", { kind: "log", level: "info", message: stubborn }],
    ["fields of the log that are none", { kind: "log", level: "info", message: "x", fields: 5 }],
    ["progress that is a text", { kind: "progress", update: "half" }],
    ["progress of nonsense", { kind: "progress", update: { message: stubborn, progress: "x" } }],
    ["a question about nothing", { kind: "question", question: null, about: null }],
    ["a question for a secret without a name", { kind: "question", question: 1, about: { of: "secret", name: stubborn } }],
    ["a question for a call of what every object has", { kind: "question", question: 1, about: { of: "call", tool: "__proto__" } }],
    ["a question to a person about nothing", { kind: "question", question: 1, about: { of: "ask", request: null } }],
    ["a message of no kind", { kind: stubborn }],
    ["a message for a call without a name", { kind: "log", call: stubborn }],
  ])("takes the result all the same: %s", async (_, message) => {
    const { registry } = await openPool([message, { kind: "end", value: "done" }]);
    expect(await registry.invoke("t", {})).toMatchObject({ ok: true, content: "done" });
  });

  it.each<[string, unknown, object]>([
    ["nothing", null, { code: "TOOL_FAILED", error: "It failed, and did not say how." }],
    ["a number", 5, { code: "TOOL_FAILED" }],
    ["a message that is no text", { message: stubborn }, { code: "TOOL_FAILED" }],
    ["a code that is no text", { message: "m", code: stubborn }, { code: "TOOL_FAILED", error: "m" }],
    ["a code that every object has", { message: "m", code: "__proto__" }, { code: "TOOL_FAILED", error: "m" }],
    ["a decision that is the server's", { message: "m", code: "TOOL_NOT_ALLOWED" }, { code: "TOOL_FAILED", error: "m" }],
    ["a loss that the server would tell", { message: "m", code: "WORKER_LOST" }, { code: "TOOL_FAILED", error: "m" }],
  ])("ends the call as failed, where the fault is %s", async (_, fault, expected) => {
    const { registry } = await openPool([{ kind: "end", fault }]);
    expect(await registry.invoke("t", {})).toMatchObject({ ok: false, ...expected });
  });

  it("makes no call for it before it runs the call that was offered to it", async () => {
    const question = { kind: "question", question: 1, about: { of: "call", tool: "effect", input: {} } };
    const { registry } = await openPool([{ kind: "end", value: "done" }], [question]);
    let effects = 0;
    const inputSchema = { type: "object" } as const;
    registry.register(defineTool({ name: "effect", description: "E.", inputSchema, handler: () => `${(effects += 1)}` }));
    expect(await registry.invoke("t", {})).toMatchObject({ ok: true, content: "done" });
    await turns();
    expect(effects).toBe(0);
  });

  it("tells no time before now for the next try", async () => {
    const { registry } = await openPool([{ kind: "end", fault: { message: "m", code: "RATE_LIMITED", retryAfterMs: -5 } }]);
    const result = await registry.invoke("t", {});
    expect(result).toMatchObject({ ok: false, code: "RATE_LIMITED" });
    expect(result).not.toHaveProperty("retryAfterMs");
  });

  it.each<[string, object]>([
    ["calls that run", { kind: "beat", state: "open", running: stubborn }],
    ["a key to share", { kind: "hello", slots: 1, tools: [], exchange: stubborn }],
    ["slots", { kind: "hello", slots: stubborn, tools: [], exchange: "x" }],
    ["the time of its start", { kind: "hello", slots: 1, startedAt: stubborn, tools: [], exchange: "x" }],
    ["its link", { kind: "hello", slots: 1, tools: [], exchange: "x", link: stubborn }],
    ["a kind", { kind: stubborn }],
  ])("goes on where an announcement has nonsense as %s", async (_, body) => {
    const { registry, tell, hello } = await openPool([{ kind: "end", value: "done" }]);
    tell(body);
    tell(body, sealOf(worker.privateKey));
    await turns();
    tell(hello);
    await turns();
    expect(await registry.invoke("t", {})).toMatchObject({ ok: true, content: "done" });
  });
});

describe("a worker", () => {
  it("speaks for nobody else of its pool, although it knows the other's name", async () => {
    const { registry, source, tell, seal } = await openPool([{ kind: "end", value: "done" }]);
    const evil = sealOf(other.privateKey);
    Object.assign(evil.self, { instance: seal.self.instance });
    tell({ kind: "beat", state: "gone", running: 0 }, evil);
    tell({ kind: "hello", slots: 1, startedAt: 0, tools: [toCard(tool)], exchange: createExchange().publicKey, link: "x" }, evil);
    await turns();
    expect(source.workers()).toMatchObject([{ key: worker.publicKey, state: "open", slots: 4 }]);
    expect(await registry.invoke("t", {})).toMatchObject({ ok: true, content: "done" });
  });

  it("runs nothing again that was sent before it and its server lost each other", async () => {
    const broker = createMemoryBroker();
    const ran: string[] = [];
    const pay = defineTool({ name: "pay", description: "Pays.", inputSchema: { type: "object" }, handler: () => void ran.push("paid") });
    const served = await serveWorker({
      link: broker.connect(),
      tools: [pay],
      pool: "web",
      privateKey: worker.privateKey,
      servers: [server.publicKey],
    });
    afterThisTest(() => served.close());
    const network = broker.connect();
    const sent: [subject: string, message: Uint8Array][] = [];
    const link: Link = new Proxy(network, {
      get(target, name) {
        if (name !== "publish") return Reflect.get(target, name) as unknown;
        return (subject: string, message: Uint8Array) => {
          sent.push([subject, message]);
          target.publish(subject, message);
        };
      },
    });
    const source = workerSource({ link, pool: "web", privateKey: server.privateKey, workers: [worker.publicKey] });
    const registry = createRegistry();
    afterThisTest(() => registry.close());
    await registry.addSource(source);
    expect(await registry.invoke("pay", {})).toMatchObject({ ok: true });
    const before = [...sent];
    network.suspend();
    await until(() => source.workers().length === 0);
    network.restore();
    await until(() => source.workers().length === 1);
    await turns();
    const replayer = broker.connect();
    for (const [subject, message] of before) replayer.publish(subject, message);
    await turns();
    expect(ran).toEqual(["paid"]);
    expect(await registry.invoke("pay", {})).toMatchObject({ ok: true });
    expect(ran).toEqual(["paid", "paid"]);
  });
});

describe("a stream of a worker", () => {
  it("ends where its server takes no more of it: the handler is aborted", async () => {
    const broker = createMemoryBroker();
    let isAborted = false;
    const endless = defineTool({
      name: "endless",
      description: "Never ends.",
      inputSchema: { type: "object" },
      async *handler(_, { signal }) {
        while (!signal.aborted) {
          yield "x".repeat(500_000);
          await turns(1);
        }
        isAborted = true;
      },
    });
    const served = await serveWorker({
      link: broker.connect(),
      tools: [endless],
      pool: "web",
      privateKey: worker.privateKey,
      servers: [server.publicKey],
    });
    afterThisTest(() => served.close());
    const registry = createRegistry();
    afterThisTest(() => registry.close());
    await registry.addSource(
      workerSource({ link: broker.connect(), pool: "web", privateKey: server.privateKey, workers: [worker.publicKey] }),
    );
    expect(await registry.invoke("endless", {})).toMatchObject({ ok: false, code: "RESULT_TOO_LARGE" });
    await until(() => isAborted, "The handler goes on.", 200);
  });
});
