import { type Logger, ToolError } from "@toolrack/core";
import type { Link } from "../link/link.ts";
import { createExchange, type Exchange } from "../protocol/exchange.ts";
import { type Keys, printOf } from "../protocol/identity.ts";
import type { Beat, Hello, ToServer, ToWorker } from "../protocol/messages.ts";
import { createProtocolFaults } from "../protocol/protocol-faults.ts";
import { createSeal } from "../protocol/seal.ts";
import { subjectsOf } from "../protocol/subjects.ts";
import { type AnnouncedTool, createRoster, type KnownWorker, type Roster } from "./roster.ts";

/** Who is in the pool, and the way to each of them. */
export interface Directory {
  readonly roster: Roster;
  /** Begins to listen, once; waits a moment for the first worker. */
  open(signal: AbortSignal): Promise<void>;
  /** The tools of the pool; for a while also those that only lost workers had. */
  tools(): ReadonlyMap<string, AnnouncedTool>;
  /** When a worker that had the tool was last heard of, where none is there any more. */
  lastSeen(tool: string): number | undefined;
  /** Agrees with a worker on the keys of a call; false where its half is none. They are gone when nobody listens to the call any more. */
  agree(worker: KnownWorker, call: string, own: Exchange, theirs: unknown): boolean;
  send(worker: KnownWorker, message: ToWorker): void;
  listen(worker: KnownWorker, call: string, listener: (message: ToServer) => void): () => void;
  onLost(worker: KnownWorker, listener: () => void): () => void;
  drain(instance: string): boolean;
  /** Workers that are refused, each with the reason and the fix. */
  problems(): readonly string[];
  close(): Promise<void>;
}

export interface DirectoryOptions {
  readonly link: Link;
  readonly pool: string;
  readonly keys: Keys;
  readonly trusted: readonly string[];
  readonly silentMs: number;
  readonly graceMs: number;
  readonly log?: Logger;
  now(): number;
  onTools(): void;
  /** There may be a free slot that was not there before. */
  onRoom(): void;
}

/** The tools lost first are forgotten first. */
const maxLostTools = 10_000;
/** How long the first list waits for workers that are there already. */
const firstMs = 500;
/** More keys than this are not told: anybody who may publish can name any key. */
const maxStrangers = 20;

export function createDirectory(options: DirectoryOptions): Directory {
  const { link, pool, keys, trusted, silentMs, graceMs, log, now, onTools, onRoom } = options;
  const subjects = subjectsOf(pool);
  const refused = createProtocolFaults({ who: "worker", log, pool, silentMs, now });
  const seal = createSeal({ side: "server", keys, trusted, now, onOtherProtocol: refused.take });
  const inbox = subjects.server(keys.print, seal.self.instance);
  const roster = createRoster(now);
  const calls = new Map<string, (message: ToServer) => void>();
  const losses = new Map<string, Set<() => void>>();
  const closers: (() => void)[] = [];
  let opening: Promise<void> | undefined;
  /** The tools that only lost workers had. */
  const lostTools = new Map<string, { readonly tool: AnnouncedTool; readonly seenAt: number; readonly lostAt: number }>();
  const strangers = new Set<string>();
  const sweepMs = Math.min(Math.max(silentMs / 4, 50), 60_000);
  let sweptAt = 0;
  let askedAt = 0;
  let onFirst: (() => void) | undefined;

  const subjectOf = ({ sender }: KnownWorker): string => subjects.worker(printOf(sender.key), sender.instance);

  function takeNews(message: Uint8Array): void {
    const opened = seal.openSigned<Hello | Beat>(subjects.news, message);
    if (opened === undefined) return tellStranger(message);
    const { from, body } = opened;
    if (body.kind === "hello") return takeHello(from, body);
    if (body.kind !== "beat") return;
    const worker = roster.beat(from, body);
    if (worker === undefined) return askRoll(); // its announcement was missed
    if (worker.state === "gone") return lose(from.instance);
    onRoom();
  }

  /** A worker whose key was forgotten in the settings would otherwise look as if it were not there. Each key is told once. */
  function tellStranger(message: Uint8Array): void {
    const key = seal.claimedKey(message);
    if (key === undefined || trusted.includes(key) || strangers.has(key) || strangers.size >= maxStrangers) return;
    strangers.add(key);
    log?.warn("A worker with a key that is not trusted announces itself. If it is yours, add the key to the workers of the source.", {
      pool,
      key,
    });
  }

  function takeHello(from: KnownWorker["sender"], hello: Hello): void {
    const isNew = !roster.workers.has(from.instance);
    try {
      if (!roster.hello(from, hello)) return;
    } catch (error) {
      return log?.warn("The announcement of a worker was refused.", { pool, worker: from.instance, error: String(error) });
    }
    if (isNew) {
      const own = createExchange();
      if (!seal.pairWith(from, own, hello.exchange)) return void roster.lose(from.instance);
      const subject = subjectOf(roster.workers.get(from.instance)!);
      link.publish(subject, seal.signed(subject, { kind: "greeting", exchange: own.publicKey }));
      log?.info("A worker is there.", { pool, worker: from.instance });
    }
    for (const name of roster.workers.get(from.instance)!.tools.keys()) lostTools.delete(name);
    onFirst?.();
    onTools();
    onRoom();
  }

  function lose(instance: string): void {
    const worker = roster.lose(instance);
    if (worker === undefined) return;
    seal.forget(instance);
    log?.info("A worker is gone.", { pool, worker: instance });
    const listeners = losses.get(instance);
    losses.delete(instance);
    for (const listener of listeners ?? []) listener();
    for (const [name, tool] of worker.tools) if (roster.having(name).size === 0) remember(name, tool, worker.seenAt);
    onTools();
    onRoom();
  }

  function remember(name: string, tool: AnnouncedTool, seenAt: number): void {
    lostTools.delete(name);
    if (lostTools.size >= maxLostTools) lostTools.delete(lostTools.keys().next().value!);
    lostTools.set(name, { tool, seenAt, lostAt: now() });
  }

  /** Forgets the tools that nobody has had for longer than the grace, and answers whether there were any. */
  function forgetLost(): boolean {
    const { size } = lostTools;
    for (const [name, { lostAt }] of lostTools) if (now() - lostAt > graceMs) lostTools.delete(name);
    return lostTools.size < size;
  }

  function sweep(): void {
    if (forgetLost()) onTools();
    // A process that stood still has not heard yet what came meanwhile: nobody is gone for that.
    const stoodStill = now() - sweptAt > 2 * sweepMs;
    sweptAt = now();
    if (stoodStill) return;
    for (const [instance, { seenAt }] of roster.workers) if (now() - seenAt > silentMs) lose(instance);
  }

  function askRoll(): void {
    if (now() - askedAt < 1_000) return;
    askedAt = now();
    link.publish(subjects.roll, seal.signed(subjects.roll, { kind: "roll" }));
  }

  function takeReply(message: Uint8Array): void {
    const opened = seal.open<ToServer>(inbox, message);
    if (opened !== undefined) calls.get(`${opened.from.instance} ${opened.body.call}`)?.(opened.body);
  }

  /** Whatever a worker sends, this process goes on. */
  const safely =
    (take: (message: Uint8Array) => void) =>
    (message: Uint8Array): void => {
      try {
        take(message);
      } catch (error) {
        log?.error("A message of a worker could not be handled, and was left out.", { pool, error: String(error) });
      }
    };

  async function begin(): Promise<void> {
    if (!link.isConnected)
      throw new ToolError("SOURCE_FAILED", `The broker of pool "${pool}" cannot be reached. Check its address, and that it runs.`);
    closers.push(
      link.subscribe(subjects.news, safely(takeNews)),
      link.subscribe(inbox, safely(takeReply)),
      link.onGone((name) => {
        for (const instance of roster.behind(name)) lose(instance);
      }),
      link.onConnection((isConnected) => {
        // What happened meanwhile is not known: those who are still there will say so.
        askedAt = 0;
        if (isConnected) askRoll();
        else for (const instance of roster.workers.keys()) lose(instance);
      }),
    );
    sweptAt = now();
    const timer = setInterval(sweep, sweepMs).unref();
    closers.push(() => clearInterval(timer));
    await link.flush();
    askRoll();
    await new Promise<void>((resolve) => {
      const waiting = setTimeout(resolve, firstMs);
      onFirst = () => {
        clearTimeout(waiting);
        resolve();
      };
    });
  }

  return {
    roster,
    async open(signal) {
      signal.throwIfAborted();
      opening ??= begin().catch((error: unknown) => {
        opening = undefined;
        throw error;
      });
      await opening;
    },
    tools() {
      forgetLost();
      if (lostTools.size === 0) return roster.tools();
      return new Map([...[...lostTools].map(([name, { tool }]) => [name, tool] as const), ...roster.tools()]);
    },
    lastSeen: (tool) => lostTools.get(tool)?.seenAt,
    agree: ({ sender }, call, own, theirs) => seal.beginCall(sender.instance, call, own, theirs),
    send(worker, message) {
      const sealed = seal.sealed(subjectOf(worker), worker.sender.instance, message);
      if (sealed === undefined) return;
      if (sealed.byteLength > link.maxBytes)
        throw new ToolError(
          "INPUT_INVALID",
          `A message of ${sealed.byteLength} bytes cannot be sent to a worker: the link carries ${link.maxBytes}. Send less, or raise the limit of the broker (max_payload).`,
        );
      link.publish(subjectOf(worker), sealed);
    },
    listen(worker, call, listener) {
      const key = `${worker.sender.instance} ${call}`;
      calls.set(key, listener);
      return () => {
        calls.delete(key);
        seal.endCall(worker.sender.instance, call);
      };
    },
    onLost(worker, listener) {
      const { instance } = worker.sender;
      // It may have gone between the choice and now.
      if (!roster.workers.has(instance)) queueMicrotask(listener);
      const listeners = losses.get(instance) ?? new Set();
      losses.set(instance, listeners.add(listener));
      return () => listeners.delete(listener);
    },
    drain(instance) {
      const worker = roster.workers.get(instance);
      if (worker === undefined) return false;
      const subject = subjectOf(worker);
      link.publish(subject, seal.signed(subject, { kind: "drain" }));
      return true;
    },
    problems: () => refused.list(),
    async close() {
      for (const close of closers.splice(0)) close();
      for (const instance of roster.workers.keys()) lose(instance);
      for (const close of closers.splice(0)) close();
    },
  };
}
