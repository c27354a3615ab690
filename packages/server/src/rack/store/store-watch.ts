import type { Logger } from "@toolrack/core";
import { StoreError } from "@toolrack/store";
import { createOutage } from "../util/outage.ts";

/** Whether the store works, as its users report. */
export interface StoreWatch {
  readonly isUp: boolean;
  /** How long it has been failing; 0 while it works. */
  readonly awayMs: number;
  /** How often it began to fail. */
  readonly outages: number;
  /** Reports a failure of the store: from then on it is tried until it works. */
  failed(error: unknown): void;
  /** The same for any error; errors that are not failures of the store are ignored. */
  notice(error: unknown): void;
  /** Sets the attempt: a short write. Undefined stops it. */
  tryWith(attempt: (() => Promise<unknown>) | undefined): void;
  close(): void;
}

/** Logs once that the store fails, and once that it works again. While it works, nothing is asked of it. */
export function watchStore(log: Logger, everyMs = 500): StoreWatch {
  const outage = createOutage({ log, level: "error", failed: "The store failed.", worked: "The store works again." });
  let attempt: (() => Promise<unknown>) | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  function tryAgain(): void {
    if (isClosed || timer !== undefined) return;
    timer = setTimeout(() => {
      (attempt?.() ?? Promise.reject(new Error("Nobody can try it."))).then(
        () => {
          timer = undefined;
          outage.worked();
        },
        () => {
          timer = undefined;
          tryAgain();
        },
      );
    }, everyMs);
    timer.unref();
  }

  function failed(error: unknown): void {
    if (isClosed) return;
    outage.failed(error);
    tryAgain();
  }

  return {
    get isUp() {
      return outage.isUp;
    },
    get awayMs() {
      return outage.awayMs;
    },
    get outages() {
      return outage.count;
    },
    failed,
    notice(error) {
      if (StoreError.is(error) && error.status === 503 && error.code !== "STORE_CLOSED") failed(error);
    },
    tryWith: (next) => void (attempt = next),
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}
