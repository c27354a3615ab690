import { createRegistry, defineTool } from "@toolrack/core";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { hasNats, startNats } from "@toolrack/testkit/nats";
import { turns } from "@toolrack/testkit/turns";
import { until } from "@toolrack/testkit/until";
import { describe, expect, it } from "vitest";
import { createIdentity, createMemoryBroker, type Link, serveWorker, workerSource } from "../src/index.ts";
import { natsLink } from "../src/link/nats.ts";
import { createExchange } from "../src/protocol/exchange.ts";
import { printOf, readKeys } from "../src/protocol/identity.ts";
import type { ToServer } from "../src/protocol/messages.ts";
import { createSeal } from "../src/protocol/seal.ts";
import { subjectsOf } from "../src/protocol/subjects.ts";

const server = createIdentity();
const worker = createIdentity();
const stranger = createIdentity();
const subjects = subjectsOf("web");

/** A link that keeps every message that is published over it. */
function recorded(link: Link): { readonly link: Link; readonly sent: [subject: string, message: Uint8Array][] } {
  const sent: [string, Uint8Array][] = [];
  return {
    sent,
    link: new Proxy(link, {
      get(target, name) {
        if (name !== "publish") return Reflect.get(target, name) as unknown;
        return (subject: string, message: Uint8Array) => {
          sent.push([subject, message]);
          target.publish(subject, message);
        };
      },
    }),
  };
}

async function openPool() {
  const broker = createMemoryBroker();
  const ran: string[] = [];
  const tool = defineTool({
    name: "pay",
    description: "Pays.",
    inputSchema: { type: "object", properties: { to: { type: "string" } }, required: ["to"] },
    handler: ({ to }) => (ran.push(to), `paid ${to}`),
  });
  const warned: unknown[] = [];
  const log = {
    debug() {},
    info() {},
    error() {},
    warn: (_: string, fields?: Readonly<Record<string, unknown>>) => void warned.push(fields?.["key"]),
  };
  const fromServer = recorded(broker.connect());
  const fromWorker = recorded(broker.connect());
  const served = await serveWorker({
    link: fromWorker.link,
    tools: [tool],
    pool: "web",
    privateKey: worker.privateKey,
    servers: [server.publicKey],
  });
  const source = workerSource({ link: fromServer.link, pool: "web", privateKey: server.privateKey, workers: [worker.publicKey], log });
  const registry = createRegistry();
  afterThisTest(() => registry.close());
  afterThisTest(() => served.close());
  await registry.addSource(source);
  return { warned, broker, ran, fromServer, fromWorker, served, source, registry, tool };
}

// fault 8
describe("a pool", () => {
  it("takes no announcement of a key that it does not trust", async () => {
    const { broker, source, tool, warned } = await openPool();
    const foreign = await serveWorker({
      link: broker.connect(),
      tools: [tool],
      pool: "web",
      privateKey: stranger.privateKey,
      servers: [server.publicKey],
    });
    afterThisTest(() => foreign.close());
    await turns();
    expect(source.workers().map(({ key }) => key)).toEqual([worker.publicKey]);
    expect(warned).toEqual([stranger.publicKey]);
  });

  it("takes no call of a server that the worker does not trust", async () => {
    const { broker, ran } = await openPool();
    const registry = createRegistry();
    afterThisTest(() => registry.close());
    // The stranger trusts the worker and sees its announcement; the worker answers nothing.
    await registry.addSource(
      workerSource({ link: broker.connect(), pool: "web", privateKey: stranger.privateKey, workers: [worker.publicKey], offerMs: 20 }),
    );
    expect(await registry.invoke("pay", { to: "mallory" })).toMatchObject({
      ok: false,
      code: expect.stringMatching(/TOOL_UNAVAILABLE|TOOL_NOT_FOUND/),
    });
    expect(ran).toEqual([]);
  });

  it("runs a call once, although every message of it is sent again", async () => {
    const { broker, registry, ran, fromServer, fromWorker } = await openPool();
    expect(await registry.invoke("pay", { to: "anna" })).toMatchObject({ ok: true, content: "paid anna" });
    const replayer = broker.connect();
    for (const [subject, message] of [...fromServer.sent, ...fromWorker.sent]) replayer.publish(subject, message);
    await turns();
    expect(ran).toEqual(["anna"]);
    expect(await registry.invoke("pay", { to: "bert" })).toMatchObject({ ok: true, content: "paid bert" });
    expect(ran).toEqual(["anna", "bert"]);
  });

  it("takes no message that was changed, or that was meant for another subject", async () => {
    const { broker, registry, ran, fromServer, served } = await openPool();
    await registry.invoke("pay", { to: "anna" });
    const [subject, message] = fromServer.sent.find(([, one]) => Buffer.from(one).includes('"call"'))!;
    const attacker = broker.connect();
    const changed = Buffer.from(message).toString("latin1").replace('"number":1', '"number":9');
    attacker.publish(subject, Buffer.from(changed, "latin1"));
    attacker.publish(subjects.worker(printOf(stranger.publicKey), served.instance), message);
    for (const text of ["", "\n", "x\n{}", '\n{"to":1}', `${"A".repeat(88)}\n[]`, "\u0000"]) attacker.publish(subject, Buffer.from(text));
    await turns();
    expect(ran).toEqual(["anna"]);
  });

  it("takes no answer of a worker for a call that another one has", async () => {
    const broker = createMemoryBroker();
    const second = createIdentity();
    const fromServer = recorded(broker.connect());
    let finish: (value: string) => void = () => {};
    const tool = (handler: () => unknown) => defineTool({ name: "ask", description: "Asks.", inputSchema: { type: "object" }, handler });
    const honest = await serveWorker({
      link: broker.connect(),
      tools: [tool(() => new Promise((resolve) => (finish = resolve)))],
      pool: "web",
      privateKey: worker.privateKey,
      servers: [server.publicKey],
    });
    afterThisTest(() => honest.close());
    const source = workerSource({
      link: fromServer.link,
      pool: "web",
      privateKey: server.privateKey,
      workers: [worker.publicKey, second.publicKey],
    });
    const registry = createRegistry();
    afterThisTest(() => registry.close());
    await registry.addSource(source);
    const call = registry.invoke("ask", {});
    await until(() => honest.running === 1);
    // A worker of the pool that saw the call: it can seal for itself, and not for the other.
    const seal = createSeal({ side: "worker", keys: readKeys(second.privateKey), trusted: [server.publicKey], now: Date.now });
    const own = createExchange();
    const link = broker.connect();
    const inbox = subjects.worker(printOf(second.publicKey), seal.self.instance);
    const greeted = new Promise<{ key: string; instance: string }>((resolve) =>
      link.subscribe(inbox, (message) => {
        const opened = seal.openSigned<{ exchange: string }>(inbox, message);
        if (opened === undefined) return;
        seal.pairWith(opened.from, own, opened.body.exchange);
        resolve(opened.from);
      }),
    );
    link.publish(
      subjects.news,
      seal.signed(subjects.news, { kind: "hello", slots: 1, startedAt: 0, tools: [], exchange: own.publicKey, link: link.name }),
    );
    const to = await greeted;
    const subject = subjects.server(printOf(to.key), to.instance);
    // The name of a call is not secret: it says where a message belongs.
    const seen = fromServer.sent
      .map(([, message]) => /"call":"(\w+)"/.exec(Buffer.from(message).toString())?.[1])
      .find((id) => id !== undefined)!;
    const half = createExchange();
    expect(seal.beginCall(to.instance, seen, half, half.publicKey)).toBe(true);
    link.publish(subject, seal.sealed(subject, to.instance, { kind: "end", call: seen, value: "forged" } as ToServer)!);
    link.publish(subject, seal.sealed(subject, to.instance, { kind: "refuse", call: seen })!);
    await turns();
    finish("true");
    expect(await call).toMatchObject({ ok: true, content: "true" });
  });

  it("stays as it is when a worker announces nonsense", async () => {
    const { broker, source, registry } = await openPool();
    const seal = createSeal({ side: "worker", keys: readKeys(worker.privateKey), trusted: [], now: Date.now });
    const { publicKey: exchange } = createExchange();
    const link = broker.connect();
    for (const body of [
      { kind: "hello", slots: 1e99, tools: [{ name: "x".repeat(4_000) }], exchange },
      { kind: "hello", slots: -1, tools: "none", exchange: "nonsense" },
      { kind: "hello", tools: [null], exchange },
      { kind: "beat", state: "open" },
      { kind: "other" },
    ])
      link.publish(subjects.news, seal.signed(subjects.news, body));
    await turns();
    expect(source.workers()).toHaveLength(1);
    expect(await registry.invoke("pay", { to: "anna" })).toMatchObject({ ok: true });
  });

  it.skipIf(!hasNats)("is closed to a worker beyond its own subjects, by the broker's permissions", async () => {
    const key = printOf(worker.publicKey);
    const nats = await startNats([
      { user: "server", password: "s" },
      {
        user: "worker",
        password: "w",
        publish: ["toolrack.web.news", "toolrack.web.server.>"],
        subscribe: ["toolrack.web.roll", `toolrack.web.worker.${key}.*`],
      },
    ]);
    afterThisTest(() => nats.stop());
    const link = async (user: string, password: string): Promise<Link> => {
      const opened = await natsLink({ servers: nats.url, user, password });
      afterThisTest(() => opened.close());
      return opened;
    };
    const tool = defineTool({ name: "echo", description: "Says it.", inputSchema: { type: "object" }, handler: () => "said" });
    const source = workerSource({
      link: await link("server", "s"),
      pool: "web",
      privateKey: server.privateKey,
      workers: [worker.publicKey],
    });
    const registry = createRegistry();
    afterThisTest(() => registry.close());
    const served = await serveWorker({
      link: await link("worker", "w"),
      tools: [tool],
      pool: "web",
      privateKey: worker.privateKey,
      servers: [server.publicKey],
    });
    afterThisTest(() => served.close());
    await registry.addSource(source);
    const spy = await link("worker", "w");
    const heard: string[] = [];
    for (const subject of [">", "toolrack.>", "toolrack.web.server.>", "toolrack.web.worker.*.*", "toolrack.web.news", "_INBOX.>"])
      spy.subscribe(subject, () => void heard.push(subject));
    spy.publish(subjects.worker(key, served.instance), Buffer.from("forged"));
    await spy.flush();
    for (let round = 0; round < 3; round++) expect(await registry.invoke("echo", {})).toMatchObject({ ok: true, content: "said" });
    await spy.flush();
    expect(heard).toEqual([]);
  });
});
