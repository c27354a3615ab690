import type { Caller } from "@toolrack/core";
import type { Browser } from "playwright-core";
import { type ConnectGuardOptions, createGuardedConnect } from "./guarded-connect.ts";
import { launchChromium } from "./launch.ts";
import { type GuardedProxy, startProxy } from "./proxy.ts";
import { BrowserSession } from "./session.ts";

export interface BrowserHostOptions extends ConnectGuardOptions {
  /** The program. @default the Chromium of this machine */
  readonly executable?: string;
  /** How long a session stays open without a call. @default 300_000 */
  readonly idleMs?: number;
  /** How many sessions are open at once; the one that was idle for longest makes way. @default 8 */
  readonly maxSessions?: number;
}

/**
 * One Chromium with a session for each caller: its own cookies, storage and tabs, seen by nobody else.
 * Contract: a session ends by `endOf`, after its idle time, or with the host; the program ends with its last session.
 */
export interface BrowserHost {
  /** The session of a caller, opened if there is none; in each profile it has another one, with cookies and storage of its own. */
  session(caller: Caller, profile?: string): Promise<BrowserSession>;
  /** The open session of a caller. */
  find(caller: Caller, profile?: string): BrowserSession | undefined;
  /** The profiles in which the caller has an open session; "" is the one without a name. */
  profiles(caller: Caller): readonly string[];
  end(caller: Caller, profile?: string): Promise<void>;
  /** Ends the sessions of callers that are over. */
  endOf(isOver: (caller: Caller) => boolean): void;
  close(): Promise<void>;
}

interface Held {
  readonly profile: string;
  readonly caller: Caller;
  readonly session: BrowserSession;
  timer: NodeJS.Timeout;
}

interface Running {
  readonly browser: Browser;
  readonly proxy: GuardedProxy;
}

export function createBrowserHost(options: BrowserHostOptions = {}): BrowserHost {
  const { idleMs = 300_000, maxSessions = 8, executable } = options;
  const connect = createGuardedConnect(options);
  const held = new Map<string, Held>();
  let running: Promise<Running> | undefined;
  /** Opening and closing take turns, so that nobody gets a browser that is about to end. */
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = <Value>(work: () => Promise<Value>): Promise<Value> => {
    const mine = turn.then(work, work);
    turn = mine.catch(() => {});
    return mine;
  };

  async function start(): Promise<Running> {
    const proxy = await startProxy(connect);
    try {
      return { proxy, browser: await launchChromium({ executable, proxy: proxy.url }) };
    } catch (error) {
      await proxy.close();
      throw error;
    }
  }

  async function stop(): Promise<void> {
    const last = running;
    running = undefined;
    const { browser, proxy } = (await last?.catch(() => undefined)) ?? {};
    await browser?.close().catch(() => {});
    await proxy?.close();
  }

  async function open(key: string, caller: Caller, profile: string): Promise<BrowserSession> {
    const there = held.get(key);
    if (there !== undefined && there.session.isOpen) return there.session;
    if (there !== undefined) held.delete(key);
    if (held.size >= maxSessions) await drop(held.keys().next().value!);
    const { browser, proxy } = await (running ??= start()).catch((error: unknown) => {
      running = undefined;
      throw error;
    });
    if (!browser.isConnected()) {
      await stop();
      return open(key, caller, profile);
    }
    const session = await BrowserSession.open(browser, proxy);
    held.set(key, { profile, caller, session, timer: idleTimer(key) });
    return session;
  }

  /** The longest idle session is the first of the map. */
  function touch(key: string): void {
    const one = held.get(key);
    if (one === undefined) return;
    clearTimeout(one.timer);
    one.timer = idleTimer(key);
    held.delete(key);
    held.set(key, one);
  }

  function idleTimer(key: string): NodeJS.Timeout {
    return setTimeout(() => {
      if (held.get(key)?.session.isBusy === true) return touch(key);
      void inTurn(() => drop(key));
    }, idleMs).unref();
  }

  async function drop(key: string): Promise<void> {
    const one = held.get(key);
    held.delete(key);
    if (one !== undefined) clearTimeout(one.timer);
    await one?.session.close();
    if (held.size === 0) await stop();
  }

  return {
    async session(caller, profile = "") {
      const key = keyOf(caller, profile);
      const session = await inTurn(() => open(key, caller, profile));
      touch(key);
      return session;
    },
    find: (caller, profile = "") => held.get(keyOf(caller, profile))?.session,
    profiles: (caller) =>
      [...held].filter(([key, one]) => key === keyOf(caller, one.profile) && one.session.isOpen).map(([, { profile }]) => profile),
    end: (caller, profile = "") => inTurn(() => drop(keyOf(caller, profile))),
    endOf(isOver) {
      for (const [key, { caller }] of held) if (isOver(caller)) void inTurn(() => drop(key));
    },
    close: () =>
      inTurn(async () => {
        for (const key of held.keys()) await drop(key);
        await stop();
      }),
  };
}

/** Whose session it is: nobody reaches that of another by naming it. */
function keyOf({ tenant, principal, agent, session, run }: Caller, profile: string): string {
  return JSON.stringify([tenant ?? "", principal ?? "", agent ?? "", session ?? run ?? "", profile]);
}
