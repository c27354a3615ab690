import type { BatchSettings } from "./settings.ts";
import type { EndedSpan } from "./span.ts";

/** How a batch was taken: "again" for a receiver that is away or busy. */
export type Sent = "sent" | "again" | "refused";

export interface Batches {
  add(span: EndedSpan): void;
  /** Sends what is left, once. */
  close(): Promise<void>;
  /** Spans that were dropped, because the queue was full or the receiver refused them. */
  readonly dropped: number;
}

/** Collects spans and sends them in batches, one at a time. Memory is bounded: what does not fit is dropped and counted. */
export function createBatches(send: (spans: readonly EndedSpan[]) => Promise<Sent>, settings: BatchSettings): Batches {
  const { delayMs, queueSize, batchSize } = settings;
  let queue: EndedSpan[] = [];
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> | undefined;
  let waitMs = delayMs;
  let dropped = 0;
  let isClosed = false;

  function plan(ms: number): void {
    if (timer === undefined && sending === undefined && !isClosed) timer = setTimeout(() => void flush(), ms).unref();
  }

  /** A full batch does not wait for its time. */
  function hurry(): void {
    clearTimeout(timer);
    timer = undefined;
    plan(0);
  }

  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    sending ??= sendOne().finally(() => {
      sending = undefined;
      if (queue.length > 0) plan(queue.length >= batchSize && waitMs === delayMs ? 0 : waitMs);
    });
    await sending;
  }

  async function sendOne(): Promise<void> {
    const batch = queue.slice(0, batchSize);
    queue = queue.slice(batch.length);
    const outcome = await send(batch);
    if (outcome !== "again") {
      waitMs = delayMs;
      if (outcome === "refused") dropped += batch.length;
      return;
    }
    waitMs = Math.min(waitMs * 2, Math.max(delayMs, longestWaitMs));
    const room = Math.max(0, queueSize - queue.length);
    dropped += Math.max(0, batch.length - room);
    queue = [...batch.slice(0, room), ...queue];
  }

  return {
    add(span) {
      if (isClosed || queue.length >= queueSize) return void (dropped += 1);
      queue.push(span);
      if (queue.length === batchSize && waitMs === delayMs) hurry();
      else plan(waitMs);
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await sending;
      while (queue.length > 0) {
        const before = queue.length;
        await sendOne();
        if (queue.length >= before) break;
      }
      dropped += queue.length;
      queue = [];
    },
    get dropped() {
      return dropped;
    },
  };
}

const longestWaitMs = 60_000;
