import { StoreError } from "../../errors.ts";
import type { LineContent } from "../../engine/audit.ts";
import { isOutage } from "../../queue/write-queue.ts";
import type { BacklogFile } from "./backlog-file.ts";
import type { LateEndsOutcome } from "./write-late-ends.ts";
import type { OpenCall } from "../open-calls.ts";

export interface RetryQueueOptions {
  /** How many ends are kept at most. @default 10_000 */
  readonly maxEnds?: number;
  /** How many bytes of them are kept at most. @default 67_108_864 */
  readonly maxBytes?: number;
  /** Told when ends begin to be kept, when they were written, and what went wrong. */
  readonly onEvent?: (event: RetryQueueEvent) => void;
}

export type RetryQueueEvent =
  /** The first end that had to be kept since there were none. */
  | { readonly type: "kept"; readonly error: unknown }
  /** All that were kept are in the audit, but for calls that have another end there. */
  | { readonly type: "written"; readonly ends: number; readonly contradicted: readonly string[] }
  /** No more can be kept: the end of this call is lost. */
  | { readonly type: "dropped"; readonly callId: string }
  /** Ends are kept in memory alone, because the disk does not take them. */
  | { readonly type: "file-failed"; readonly error: unknown };

/** The end of a call as it goes into the audit, and the call. */
export interface UnwrittenEnd {
  readonly content: LineContent;
  readonly call: OpenCall | undefined;
}

/** Ends of calls that could not be written: kept in their order, in memory and in a file, and tried again until the store takes them. */
export interface RetryQueue {
  readonly count: number;
  /** How many ends were lost because there was no room. */
  readonly dropped: number;
  readonly isFull: boolean;
  /** Throws where there is no room. */
  add(end: UnwrittenEnd, error: unknown): void;
  find(callId: string): LineContent | undefined;
  /** To be called when the store took something else: what is kept is tried at once. */
  retryNow(): void;
  /** To be called when a write failed that left something to be tidied up: it is tried after a while. */
  retryLater(): void;
  /** Tries once more. Never rejects. */
  settle(): Promise<void>;
}

export interface RetryQueueParts {
  readonly file: BacklogFile | undefined;
  /** In one transaction. */
  write(ends: readonly UnwrittenEnd[]): Promise<LateEndsOutcome>;
}

export function createRetryQueue({ file, write }: RetryQueueParts, options: RetryQueueOptions = {}): RetryQueue {
  const { maxEnds = 10_000, maxBytes = 64 * 1024 * 1024, onEvent = () => undefined } = options;
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

  /** The file may hold more than what is kept: whoever reads it looks each end up. */
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

  /** In their order. An end that the store never takes is passed over, so that it holds up no other; it stays. */
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
    if (passed > 0) throw new Error("The store does not take some of the ends.");
  }

  async function attempt(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    try {
      do await writeAll();
      while (ends.length > 0); // what came meanwhile is in the file, which goes now
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

/** Also said where a call is refused because there would be no room for its end. */
export function fullText(maxEnds: number, maxBytes: number): string {
  return `Ends of calls wait for the store, and no more than ${maxEnds} of them, or ${maxBytes} bytes, are kept. Make the store available again.`;
}

const mostAtOnce = 100;
/** So many in a row that fail by themselves are no fault of theirs. */
const mostInARow = 10;
const shortestWaitMs = 250;
const longestWaitMs = 5_000;

function sizeOf(content: LineContent): number {
  return Buffer.byteLength(content[9]) + 300;
}
