import { longestTimerMs } from "@toolrack/core/internal";
import type { Clock } from "@toolrack/core/node";
import { SlotList } from "../../rack/util/slot-list.ts";
import type { Abortable } from "../request/abortable.ts";
import { Problem } from "../reply/problem.ts";

/**
 * A key, token or session, while it is valid. Everything that stays open on its behalf (streams, waiting requests, MCP sessions) is ended
 * when it is revoked or expires.
 */
export class Credential {
  /** Identifies it among several of one principal: "key 0123456789abcdef". */
  readonly id: string | undefined;
  readonly #clock: Clock;
  readonly #expiresAt: number | undefined;
  readonly #open = new SlotList<Abortable>();
  #cancelTimer: (() => void) | undefined;
  #controller: AbortController | undefined;
  #reason: Problem | undefined;

  constructor({ id, expiresAt, clock }: { readonly id?: string; readonly expiresAt?: number | undefined; readonly clock: Clock }) {
    this.id = id;
    this.#expiresAt = expiresAt;
    this.#clock = clock;
  }

  /** Why it is no longer valid. */
  get reason(): Problem | undefined {
    return this.#reason;
  }

  /** Aborted when it ends. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      this.add(this.#controller);
    }
    return this.#controller.signal;
  }

  /** Aborts `opened` when the credential ends, at once if it has ended. Returns the slot that `remove` needs. */
  add(opened: Abortable): number {
    if (this.#reason !== undefined) {
      opened.abort(this.#reason);
      return -1;
    }
    const slot = this.#open.add(opened);
    if (this.#expiresAt !== undefined) this.#watch(this.#expiresAt);
    return slot;
  }

  remove(opened: Abortable, slot: number): void {
    this.#open.remove(opened, slot);
    if (this.#open.size > 0) return;
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }

  end(fact: string): void {
    if (this.#reason !== undefined) return;
    this.#reason = new Problem(401, "SIGN_IN_ENDED", `${fact} Everything that was open with it has been closed. Sign in again.`, {
      headers: { "www-authenticate": 'Bearer realm="toolrack"' },
    });
    this.#cancelTimer?.();
    for (const opened of this.#open) opened.abort(this.#reason);
  }

  /** The timer runs only while something is open. */
  #watch(expiresAt: number): void {
    if (this.#cancelTimer !== undefined || this.#reason !== undefined) return;
    const left = expiresAt - this.#clock.now();
    if (left <= 0) return this.end("What you signed in with has expired.");
    // The longest delay of a timer.
    const cancel = this.#clock.after(Math.min(left, longestTimerMs), () => {
      this.#cancelTimer = undefined;
      this.#watch(expiresAt);
    });
    cancel.release?.();
    this.#cancelTimer = cancel;
  }
}
