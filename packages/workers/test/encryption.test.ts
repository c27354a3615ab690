import { sign } from "node:crypto";
import { type AnyTool, type CallContext, createMemorySecrets, createRegistry, defineTool } from "@toolrack/core";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { hasNats, startNats } from "@toolrack/testkit/nats";
import { turns } from "@toolrack/testkit/turns";
import { until } from "@toolrack/testkit/until";
import { describe, expect, it } from "vitest";
import { createIdentity, createMemoryBroker, type Link, serveWorker, workerSource } from "../src/index.ts";
import { natsLink } from "../src/link/nats.ts";
import { toCard } from "../src/protocol/card.ts";
import { createExchange } from "../src/protocol/exchange.ts";
import { printOf, readKeys } from "../src/protocol/identity.ts";
import { subjectsOf } from "../src/protocol/subjects.ts";

const server = createIdentity();
const worker = createIdentity();
const subjects = subjectsOf("web");
const canary = "canary-7f3e91";

interface Heard {
  readonly subject: string;
  readonly data: Uint8Array;
}

interface TestBroker {
  connect(): Promise<Link>;
  /** Everything that crosses the broker. */
  spy(): Promise<{ readonly heard: readonly Heard[]; publish(subject: string, data: Uint8Array): void; flush(): Promise<void> }>;
}

async function openNats(): Promise<TestBroker> {
  const nats = await startNats();
  afterThisTest(() => nats.stop());
  return {
    async connect() {
      const link = await natsLink({ servers: nats.url, user: "all", password: "all" });
      afterThisTest(() => link.close());
      return link;
    },
    async spy() {
      const { connect } = await import("@nats-io/transport-node");
      const connection = await connect({ servers: nats.url, user: "all", pass: "all" });
      afterThisTest(() => connection.close());
      const heard: Heard[] = [];
      connection.subscribe(">", { callback: (_, { subject, data }) => void heard.push({ subject, data }) });
      await connection.flush();
      return { heard, publish: (subject, data) => connection.publish(subject, data), flush: () => connection.flush() };
    },
  };
}

/** Uses whatever a handler may send to its server, and whatever that may answer. */
const busy = defineTool({
  name: "busy",
  description: "Does everything.",
  inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  metadata: { secrets: ["token"] },
  async handler({ text }: { readonly text: string }, context: CallContext) {
    context.progress({ progress: 1, message: `${canary} progress` });
    context.log.info(`${canary} log`, { text });
    const secret = await context.secret("token");
    const inner = await context.call("inner", { text: `${canary} inner` });
    const answer = await context.ask({ message: `${canary} question`, schema: { type: "object" } });
    return { said: `${canary} result of ${text}`, secret: secret.length, inner: inner.ok && inner.content, answer };
  },
});

async function openPool(broker: TestBroker, tools: readonly AnyTool[]) {
  const served = await serveWorker({
    link: await broker.connect(),
    tools,
    pool: "web",
    privateKey: worker.privateKey,
    servers: [server.publicKey],
  });
  afterThisTest(() => served.close());
  const registry = createRegistry({
    secrets: createMemorySecrets({ token: `${canary}-secret` }),
    approver: { ask: async () => ({ action: "accept", value: { said: `${canary} answer` } }) },
  });
  afterThisTest(() => registry.close());
  const inputSchema = { type: "object", additionalProperties: true } as const;
  registry.register(defineTool({ name: "inner", description: "Is at home.", inputSchema, handler: () => `${canary} at home` }));
  const source = workerSource({
    link: await broker.connect(),
    pool: "web",
    privateKey: server.privateKey,
    workers: [worker.publicKey],
  });
  await registry.addSource(source);
  return { registry, source, served };
}

describe.skipIf(!hasNats)("a broker that is listened to", () => {
  it("TD7: carries no argument, result, secret, question, progress, log or error that can be read", async () => {
    const broker = await openNats();
    const spy = await broker.spy();
    const fails = defineTool({
      name: "fails",
      description: "Fails.",
      inputSchema: { type: "object" },
      handler: () => Promise.reject(new Error(`${canary} error`)),
    });
    const streams = defineTool({
      name: "streams",
      description: "Streams.",
      inputSchema: { type: "object" },
      async *handler() {
        yield `${canary} item`;
      },
    });
    const { registry } = await openPool(broker, [busy, fails, streams]);
    const progress: unknown[] = [];
    const onProgress = (update: unknown): void => void progress.push(update);
    const result = await registry.invoke("busy", { text: `${canary} argument` }, { caller: { principal: `${canary}-caller` }, onProgress });
    expect(result).toMatchObject({ ok: true, data: { said: expect.stringContaining("result of"), inner: `${canary} at home` } });
    expect(JSON.stringify(progress)).toContain(canary);
    expect(await registry.invoke("fails", {})).toMatchObject({ ok: false, error: expect.stringContaining(canary) });
    expect(await registry.invoke("streams", {})).toMatchObject({ ok: true, content: expect.stringContaining(canary) });
    await spy.flush();
    const kinds = new Set(spy.heard.map(({ subject }) => subject.split(".")[2]));
    expect([...kinds].sort()).toEqual(["news", "roll", "server", "worker"]);
    const calls = spy.heard.filter(({ data }) => Buffer.from(data).toString("latin1").startsWith("{"));
    expect(calls.length).toBeGreaterThan(15);
    for (const { data } of spy.heard) {
      const text = Buffer.from(data).toString("latin1");
      for (const hidden of [canary, Buffer.from(canary).toString("base64").slice(0, 16), Buffer.from(canary).toString("hex")])
        expect(text).not.toContain(hidden);
    }
    // The name of the tool is in its announcement, and in no message about a call.
    for (const { data } of calls) expect(Buffer.from(data).toString("latin1")).not.toMatch(/busy|fails|streams|offer|accept/);
  });

  it("TD7: changes nothing by what it replays, changes, sends elsewhere or sends back", async () => {
    const broker = await openNats();
    const spy = await broker.spy();
    const paid: string[] = [];
    let finish: () => void = () => {};
    const pay = defineTool({
      name: "pay",
      description: "Pays.",
      inputSchema: { type: "object", properties: { to: { type: "string" } }, required: ["to"] },
      async handler({ to }: { readonly to: string }, { signal }: CallContext) {
        paid.push(to);
        await new Promise<void>((resolve) => {
          finish = resolve;
          signal.addEventListener("abort", () => (paid.push("aborted"), resolve()));
        });
        return `paid ${to}`;
      },
    });
    const { registry, source } = await openPool(broker, [pay]);
    const first = registry.invoke("pay", { to: "anna" });
    await until(() => paid.length === 1);
    await spy.flush();
    const before = [...spy.heard];
    const inboxes = [...new Set(before.map(({ subject }) => subject))].filter((subject) => /\.(?:worker|server)\./.test(subject));
    expect(inboxes).toHaveLength(2);
    for (const { subject, data } of before) {
      spy.publish(subject, data);
      for (const other of inboxes) if (other !== subject) spy.publish(other, data);
      for (const at of [0, Math.floor(data.length / 2), data.length - 1]) {
        const changed = Buffer.from(data);
        changed[at]! ^= 1;
        spy.publish(subject, changed);
      }
    }
    await spy.flush();
    // What comes after it on the same subjects was read after it.
    finish();
    expect(await first).toMatchObject({ ok: true, content: "paid anna" });
    const second = registry.invoke("pay", { to: "bert" });
    await until(() => paid.length === 2);
    finish();
    expect(await second).toMatchObject({ ok: true, content: "paid bert" });
    expect(paid).toEqual(["anna", "bert"]);
    expect(source.workers()).toHaveLength(1);
  });
});

describe("a version of the protocol that does not encrypt", () => {
  /** As a worker or a server of version 1 signed its messages. */
  function signedAsBefore(identity: typeof worker, to: string, number: number, body: object): Uint8Array {
    const text = JSON.stringify({ to, key: identity.publicKey, instance: "ab".repeat(9), number, at: Date.now(), body });
    return Buffer.from(`${sign(null, Buffer.from(text), readKeys(identity.privateKey).signing).toString("base64")}\n${text}`);
  }
  const logTo = (warned: string[]) => ({ debug() {}, info() {}, error() {}, warn: (message: string) => void warned.push(message) });

  it("TD7: is refused of a worker, whose operator reads which version it has and what to do", async () => {
    const broker = createMemoryBroker();
    const warned: string[] = [];
    const registry = createRegistry();
    afterThisTest(() => registry.close());
    const link = broker.connect();
    const heard: unknown[] = [];
    link.subscribe(subjects.worker(printOf(worker.publicKey), "ab".repeat(9)), (message) => heard.push(message));
    const { publicKey: exchange } = createExchange();
    const hello = { kind: "hello", slots: 4, startedAt: 0, tools: [toCard(busy)], exchange, link: link.name };
    link.subscribe(subjects.roll, () => link.publish(subjects.news, signedAsBefore(worker, subjects.news, 1, hello)));
    const source = workerSource({
      link: broker.connect(),
      pool: "web",
      privateKey: server.privateKey,
      workers: [worker.publicKey],
      log: logTo(warned),
    });
    await registry.addSource(source);
    link.publish(subjects.news, signedAsBefore(worker, subjects.news, 2, { kind: "beat", state: "open", running: 0 }));
    await turns();
    expect(source.workers()).toEqual([]);
    expect(await registry.invoke("busy", { text: "x" })).toMatchObject({ ok: false, code: "TOOL_NOT_FOUND" });
    expect(heard).toEqual([]);
    expect(warned).toEqual([
      `The worker ${worker.publicKey} speaks version 1 of the worker protocol and this server version 2, so it is refused. Version 1 does not encrypt calls. Install the Toolrack version of this server on the worker, and start it again.`,
    ]);
    expect(source.problems()).toEqual(warned);
  });

  it("TD7: is refused of a server, in the same way", async () => {
    const broker = createMemoryBroker();
    const warned: string[] = [];
    const served = await serveWorker({
      link: broker.connect(),
      tools: [busy],
      pool: "web",
      privateKey: worker.privateKey,
      servers: [server.publicKey],
      log: logTo(warned),
    });
    afterThisTest(() => served.close());
    const link = broker.connect();
    const greeting = { kind: "greeting", exchange: createExchange().publicKey };
    link.publish(served.subject, signedAsBefore(server, served.subject, 1, greeting));
    link.publish(served.subject, signedAsBefore(server, served.subject, 2, { kind: "drain" }));
    await turns();
    expect(served.state).toBe("open");
    expect(warned).toEqual([expect.stringContaining("speaks version 1 of the worker protocol and this worker version 2")]);
  });
});
