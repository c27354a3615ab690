import { randomUUID } from "node:crypto";
import type { Client } from "pg";
import type { TicketName } from "../../engine/tickets.ts";
import { listen } from "./listen.ts";
import { ticketOf } from "./tell-tickets.ts";

export interface WakeUpOptions {
  /** The connection that listens; not through a pooler that hands connections on. */
  createClient(): Client;
  readonly channel: string;
  /** Sends a message the way that writers do. */
  notify(payload: string): Promise<unknown>;
  lastSequence(): Promise<number>;
  readonly pollMs: number;
  onWake(): void;
  /** Undefined: any may have changed. */
  onTicket(ticket: TicketName | undefined): void;
}

export interface WakeUps {
  /** Whether messages are known to arrive. */
  readonly isProven: boolean;
  readonly isConnected: boolean;
  close(): Promise<void>;
}

/**
 * Reports changes by other processes. LISTEN is trusted only after a message to itself arrived, checked again every half minute: behind a
 * connection pooler LISTEN succeeds, and no message ever arrives. Until one arrives, the number of the last change is polled.
 */
export function createWakeUps({ createClient, channel, notify, lastSequence, pollMs, onWake, onTicket }: WakeUpOptions): WakeUps {
  let isProven = false;
  let token: string | undefined;
  let sequence: number | undefined;
  let isAsking = false;

  function wakeAll(): void {
    onWake();
    onTicket(undefined);
  }

  function test(): void {
    token = `${testPrefix}${randomUUID()}`;
    notify(token).catch(() => undefined);
  }

  const listening = listen(createClient, channel, {
    onMessage(payload) {
      const ticket = ticketOf(payload);
      if (ticket !== undefined) return onTicket(ticket);
      if (!payload.startsWith(testPrefix)) return onWake();
      if (payload !== token) return;
      token = undefined;
      if (isProven) return;
      isProven = true;
      // Changes since the last look were not reported to anyone.
      wakeAll();
    },
    onConnected() {
      wakeAll();
      test();
    },
    onLost: () => (isProven = false),
  });

  const polling = setInterval(() => {
    if (isProven || isAsking) return;
    onTicket(undefined);
    isAsking = true;
    lastSequence()
      .then(
        (last) => {
          if (last !== sequence) onWake();
          sequence = last;
        },
        () => undefined,
      )
      .finally(() => (isAsking = false));
  }, pollMs);
  polling.unref();

  const testing = setInterval(() => {
    if (!listening.isConnected) return;
    if (token !== undefined && isProven) listening.reopen();
    else test();
  }, testMs);
  testing.unref();

  return {
    get isProven() {
      return isProven;
    },
    get isConnected() {
      return listening.isConnected;
    },
    async close() {
      clearInterval(polling);
      clearInterval(testing);
      await listening.close();
    },
  };
}

const testPrefix = "test:";
const testMs = 30_000;
