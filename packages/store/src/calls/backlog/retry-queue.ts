import { StoreError } from "../../errors.ts";
import type { LineContent } from "../../engine/audit.ts";
import { isOutage } from "../../queue/write-queue.ts";
import type { BacklogFile } from "./backlog-file.ts";
import type { LateEndsOutcome } from "./write-late-ends.ts";
import type { OpenCall } from "../open-calls.ts";

export interface RetryQueueOptions {
  /** The largest number of ends. @default 10_000 */
  readonly maxEnds?: number;
  /** The largest size of all ends, in bytes. @default 67_108_864 */
  readonly maxBytes?: number;
  /** Called when the first end is saved, when all were written, and when something went wrong. */
  readonly onEvent?: (event: RetryQueueEvent) => void;
}

export type RetryQueueEvent =
  /** An end was saved, and none was before. */
  | { readonly type: "kept"; readonly error: unknown }
  /** All saved ends are in the audit, except for calls that have another end there. */
  | { readonly type: "written"; readonly ends: number; readonly contradicted: readonly string[] }
  /** There was no room: the end of this call is lost. */
  | { readonly type: "dropped"; readonly callId: string }
  /** Ends are saved in memory only, because the file cannot be written. */
  | { readonly type: "file-failed"; readonly error: unknown };

/** The end of a call as it goes into the audit, and the call. */
export interface UnwrittenEnd {
  readonly content: LineContent;
  readonly call: OpenCall | undefined;
}

/** Ends of calls that could not be written, in order, in memory and in a file. They are retried until the store accepts them. */
export interface RetryQueue {
  readonly count: number;
  /** How many ends were lost because there was no room. */
  readonly dropped: number;
  readonly isFull: boolean;
  /** Throws where there is no room. */
  add(end: UnwrittenEnd, error: unknown): void;
  find(callId: string): LineContent | undefined;
  /** Call it after another write succeeded: retries immediately. */
  retryNow(): void;
  /** Call it after a write failed and may have left notes: retries after a pause. */
  retryLater(): void;
  /** Retries once. Never rejects. */
  settle(): Promise<void>;
}

export interface RetryQueueParts {
  readonly file: BacklogFile | undefined;
  /** In one transaction. */
  write(ends: readonly UnwrittenEnd[]): Promise<LateEndsOutcome>;
}

export function createRetryQueue({ file, write }: RetryQueueParts, options: Required<RetryQueueOptions>): RetryQueue {
  const { maxEnds, maxBytes, onEvent } = options;
  const ends: UnwrittenEnd[] = [];
  let bytes = 0;
  let dropped = 0;
  let written = 0;
  let contradicted: string[] = [];
  let hasFileFailed = false;
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let waitMs = shortestWaitMs;
  let isClosed = false;

  const isFull = (): boolean => ends.length >= maxEnds || bytes >= maxBytes;

  /** The file may contain ends that were written already: its reader looks up each end. */
  function onDisk(work: (file: BacklogFile) => void): void {
    if (file === undefined) return;
    try {
      work(file);
      hasFileFailed = false;
    } catch (error) {
      if (!hasFileFailed) onEvent({ type: "file-failed", error });
      hasFileFailed = true;
    }
  }

  function takeOff(start: number, batch: readonly UnwrittenEnd[], outcome: LateEndsOutcome): void {
    ends.splice(start, batch.length);
    for (const { content } of batch) bytes -= sizeOf(content);
    written += batch.length;
    contradicted.push(...outcome.contradicted);
  }

  /** In order. An end that the store rejects is skipped, so that it does not block the others; it stays in the queue. */
  async function writeAll(): Promise<void> {
    if (ends.length === 0) await write([]);
    let [passed, inARow, atOnce] = [0, 0, mostAtOnce];
    while (passed < ends.length) {
      const batch = ends.slice(passed, passed + atOnce);
      try {
        takeOff(passed, batch, await write(batch));
        inARow = 0;
      } catch (error) {
        if (isOutage(error) || inARow >= mostInARow) throw error;
        if (batch.length > 1) atOnce = 1;
        else [passed, inARow] = [passed + 1, inARow + 1];
      }
    }
    if (passed > 0) throw new Error("The store rejected some ends of calls.");
  }

  async function attempt(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    try {
      do await writeAll();
      while (ends.length > 0); // ends that were added in the meantime are in the file, which is removed next
      waitMs = shortestWaitMs;
      onDisk((one) => one.remove());
      if (written > 0) onEvent({ type: "written", ends: written, contradicted });
      written = 0;
      contradicted = [];
    } catch (error) {
      isClosed ||= StoreError.is(error) && error.code === "STORE_CLOSED";
      if (file !== undefined && file.bytes > maxBytes) onDisk((one) => one.replace(ends.map(({ content }) => content)));
      retryLater();
      waitMs = Math.min(waitMs * 2, longestWaitMs);
    }
  }

  function retryLater(): void {
    if (!isClosed) timer ??= setTimeout(retryNow, waitMs).unref();
  }

  function retryNow(): void {
    running ??= attempt().finally(() => (running = undefined));
  }

  return {
    get count() {
      return ends.length;
    },
    get dropped() {
      return dropped;
    },
    get isFull() {
      return isFull();
    },
    add(end, error) {
      if (isFull()) {
        dropped += 1;
        onEvent({ type: "dropped", callId: end.content[5] ?? "" });
        throw new StoreError("STORE_UNAVAILABLE", fullText(maxEnds, maxBytes), { cause: error });
      }
      if (ends.length === 0) onEvent({ type: "kept", error });
      ends.push(end);
      bytes += sizeOf(end.content);
      onDisk((one) => one.add([end.content]));
      retryLater();
    },
    find: (callId) => ends.findLast(({ content }) => content[5] === callId)?.content,
    retryNow,
    retryLater,
    async settle() {
      await running;
      retryNow();
      await running;
    },
  };
}

/** Also the message for a call that is refused because its end could not be saved. */
export function fullText(maxEnds: number, maxBytes: number): string {
  return `The store is down, and the ends of as many calls as can be saved (${maxEnds}, or ${maxBytes} bytes) are waiting for it. Make the store available again.`;
}

const mostAtOnce = 100;
/** After so many single failures in a row, the store is at fault and not the ends. */
const mostInARow = 10;
const shortestWaitMs = 250;
const longestWaitMs = 5_000;

function sizeOf(content: LineContent): number {
  return Buffer.byteLength(content[9]) + 300;
}
