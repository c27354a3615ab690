import type { LogPage } from "../../engine/log.ts";
import type { LogThread } from "./log-thread.ts";
import type { Turns } from "../../queue/turns.ts";

export interface PageWriterOptions {
  /** How many pages are written here before a thread is worth its while; 0 begins with it. */
  readonly pagesBeforeThread: number;
  readonly turns: Turns;
  /** `onEnd` is told when the thread is no longer there. */
  startThread(onEnd: () => void): Promise<LogThread>;
  writeHere(page: LogPage): Promise<void>;
}

/** Writes the pages of a log: here, and from some number on in a thread. */
export interface PageWriter {
  /** How many may be under way. Those after one that failed are not written until that was told. */
  readonly pagesAtOnce: number;
  write(page: LogPage): Promise<void>;
  close(): Promise<void>;
}

export async function createPageWriter(options: PageWriterOptions): Promise<PageWriter> {
  const { pagesBeforeThread, turns, startThread, writeHere } = options;
  let thread: LogThread | undefined;
  let pages = 0;

  /** Where a thread cannot be had, the log goes on without. */
  async function start(): Promise<void> {
    thread = await startThread(() => (thread = undefined)).catch(() => undefined);
  }

  let starting = pagesBeforeThread === 0 ? start() : undefined;
  await starting;
  return {
    get pagesAtOnce() {
      return thread === undefined ? 1 : pagesAtOnce;
    },
    write(page) {
      pages += 1;
      if (pages === pagesBeforeThread) starting = start();
      const beside = thread;
      return beside === undefined ? turns.alone(() => writeHere(page)) : turns.together(() => beside.write(page));
    },
    async close() {
      await starting;
      await thread?.close();
    },
  };
}

/** One that is written, one that waits for it, and one that is made meanwhile. */
const pagesAtOnce = 3;
