import { type AnyTool, defineTool, type Logger, type ToolDefinition, ToolError } from "@toolrack/core";
import type { Link } from "../link/link.ts";
import { hashOf, toCard } from "../protocol/card.ts";
import { createExchange } from "../protocol/exchange.ts";
import { printOf, readKeys } from "../protocol/identity.ts";
import type { Beat, Drain, Greeting, Hello, Roll, ToServer, ToWorker, WorkerState } from "../protocol/messages.ts";
import { createSeal, type Sender } from "../protocol/seal.ts";
import { subjectsOf } from "../protocol/subjects.ts";
import { createProtocolFaults } from "../protocol/protocol-faults.ts";
import { createRun, type Run } from "./run.ts";

export interface WorkerOptions {
  readonly link: Link;
  readonly tools: readonly AnyTool[];
  readonly pool: string;
  /** How many calls it runs at the same time. @default 4 */
  readonly slots?: number;
  /** The private key of this worker. */
  readonly privateKey: string;
  /** The public keys of the servers that it works for. */
  readonly servers: readonly string[];
  /** Shown to operators: the version of the tools. */
  readonly version?: string;
  /** Told of servers that are refused. */
  readonly log?: Logger;
  now?(): number;
}

export interface Worker {
  readonly instance: string;
  /** The subject of the broker that it listens on. */
  readonly subject: string;
  readonly state: WorkerState;
  readonly running: number;
  /** Takes no more calls; resolves when those that it has have ended, and the servers were told. The link stays open. */
  drain(): Promise<void>;
  /** Ends at once; calls that run are cancelled, and told as lost. */
  close(): Promise<void>;
  /** Resolves when it has ended, also when a server asked it to drain. */
  readonly ended: Promise<void>;
}

/** An accepted offer that no server confirms frees its slot after this time. */
const confirmMs = 10_000;
const beatMs = 1_000;

/** Runs the handlers of tools for servers elsewhere. */
export async function serveWorker(options: WorkerOptions): Promise<Worker> {
  const { link, pool, slots = 4, version, now = Date.now } = options;
  if (!Number.isInteger(slots) || slots < 1)
    throw new ToolError("CONFIG_INVALID", `A worker has ${slots} slots: it needs a whole number, 1 or more.`);
  const subjects = subjectsOf(pool);
  const keys = readKeys(options.privateKey);
  const refused = createProtocolFaults({ who: "server", log: options.log, pool, silentMs: 0, now });
  const seal = createSeal({ side: "worker", keys, trusted: options.servers, now, onOtherProtocol: refused.take });
  /** Our half of the agreement with each server. */
  const exchange = createExchange();
  const inbox = subjects.worker(keys.print, seal.self.instance);
  const cards = options.tools.map(toCard);
  const tools = new Map(
    options.tools.map((tool, index) => [
      cards[index]!.name,
      { tool: defineTool(tool as never) as ToolDefinition, hash: hashOf(cards[index]!) },
    ]),
  );
  const startedAt = now();
  /** Calls that run, and offers that were accepted, by server and call. */
  const runs = new Map<string, Run | NodeJS.Timeout>();
  let state: WorkerState = "open";
  let whenIdle: (() => void) | undefined;
  let finish: () => void = () => {};
  const ended = new Promise<void>((resolve) => (finish = resolve));

  function tellNews(news: Hello | Beat): void {
    const sealed = seal.signed(subjects.news, news);
    if (sealed.byteLength > link.maxBytes)
      throw new ToolError(
        "CONFIG_INVALID",
        `The definitions of ${cards.length} tools have ${sealed.byteLength} bytes: the link carries ${link.maxBytes}. Use several pools, or raise the limit of the broker (max_payload).`,
      );
    link.publish(subjects.news, sealed);
  }
  const hello = (): void =>
    tellNews({
      kind: "hello",
      slots,
      startedAt,
      tools: cards,
      exchange: exchange.publicKey,
      link: link.name,
      ...(version !== undefined && { version }),
    });
  const beat = (): void => tellNews({ kind: "beat", state, running: runs.size });

  function become(next: WorkerState): void {
    if (state === next || state === "gone" || (state === "draining" && next !== "gone")) return;
    state = next;
    beat();
  }

  function free({ instance }: Sender, call: string): void {
    runs.delete(keyOf(instance, call));
    seal.endCall(instance, call);
    if (runs.size < slots) become("open");
    if (runs.size === 0) whenIdle?.();
  }

  function reply(to: Sender, message: ToServer): void {
    const subject = subjects.server(printOf(to.key), to.instance);
    const sealed = seal.sealed(subject, to.instance, message);
    if (sealed === undefined) return;
    if (sealed.byteLength > link.maxBytes)
      throw new ToolError(
        "RESULT_TOO_LARGE",
        `The result has ${sealed.byteLength} bytes, and the link carries ${link.maxBytes}. Return less, or raise the limit of the broker (max_payload).`,
      );
    link.publish(subject, sealed);
  }

  function take(message: Uint8Array): void {
    const sealed = seal.open<ToWorker>(inbox, message);
    if (sealed !== undefined) return takeCall(sealed.from, sealed.body);
    const opened = seal.openSigned<Greeting | Drain>(inbox, message);
    if (opened?.body.kind === "greeting") seal.pairWith(opened.from, exchange, opened.body.exchange);
    if (opened?.body.kind === "drain") void drain().then(close);
  }

  function takeCall(from: Sender, message: ToWorker): void {
    const { call } = message;
    const key = keyOf(from.instance, call);
    const run = runs.get(key);
    switch (message.kind) {
      case "offer": {
        if (tools.get(message.tool)?.hash !== message.hash) return reply(from, { kind: "refuse", call, why: "definition" });
        if (state !== "open" || runs.size >= slots)
          return reply(from, { kind: "refuse", call, why: state === "draining" ? "draining" : "full" });
        const own = createExchange();
        if (!seal.beginCall(from.instance, call, own, message.exchange)) return;
        const timer = setTimeout(() => free(from, call), confirmMs);
        runs.set(key, Object.assign(timer, { tool: message.tool }));
        reply(from, { kind: "accept", call, exchange: own.publicKey });
        if (runs.size >= slots) become("full");
        return;
      }
      case "run": {
        // Only what was offered and accepted; and only once.
        if (run === undefined || "cancel" in run) return;
        clearTimeout(run);
        const { tool } = tools.get((run as NodeJS.Timeout & { tool: string }).tool)!;
        const started = createRun({
          tool,
          task: message.task,
          send: (one) => reply(from, { ...one, call }),
        });
        runs.set(key, started);
        return void started.ended.finally(() => free(from, call));
      }
      case "cancel":
        if (run === undefined) return;
        if ("cancel" in run) return run.cancel();
        clearTimeout(run);
        return free(from, call);
      case "answer":
        if (run !== undefined && "cancel" in run) run.answer(message);
    }
  }

  const closers = [
    link.subscribe(inbox, take),
    link.subscribe(subjects.roll, (message) => {
      if (seal.openSigned<Roll>(subjects.roll, message)?.body.kind !== "roll" || state === "gone") return;
      hello();
      beat();
    }),
    link.onConnection((isConnected) => {
      if (isConnected && state !== "gone") hello();
    }),
  ];
  await link.flush();
  hello();
  const timer = setInterval(beat, beatMs);

  async function drain(): Promise<void> {
    become("draining");
    if (runs.size > 0) await new Promise<void>((resolve) => (whenIdle = resolve));
    await link.flush();
  }

  async function close(): Promise<void> {
    if (state === "gone") return ended;
    become("gone");
    clearInterval(timer);
    for (const run of runs.values()) {
      if ("cancel" in run) run.cancel();
      else clearTimeout(run);
    }
    for (const end of closers) end();
    await link.flush();
    finish();
  }

  return {
    instance: seal.self.instance,
    subject: inbox,
    get state() {
      return state;
    },
    get running() {
      return runs.size;
    },
    drain,
    close,
    ended,
  };
}

function keyOf(instance: string, call: string): string {
  return `${instance} ${call}`;
}
