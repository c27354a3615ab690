import type { LogPage } from "../../engine/log.ts";
import type { LogThread } from "./log-thread.ts";
import type { Turns } from "../../queue/turns.ts";

export interface PageWriterOptions {
  /** How many pages are written in this thread before another thread is started; 0 starts it at once. */
  readonly pagesBeforeThread: number;
  readonly turns: Turns;
  /** `onEnd` is called when the thread has ended. */
  startThread(onEnd: () => void): Promise<LogThread>;
  writeHere(page: LogPage): Promise<void>;
}

/** Writes the pages of a log: in this thread at first, later in a separate one. */
export interface PageWriter {
  /** How many pages may be pending. After a failure, later pages are not written until it was reported. */
  readonly pagesAtOnce: number;
  write(page: LogPage): Promise<void>;
  close(): Promise<void>;
}

export async function createPageWriter(options: PageWriterOptions): Promise<PageWriter> {
  const { pagesBeforeThread, turns, startThread, writeHere } = options;
  let thread: LogThread | undefined;
  let pages = 0;

  /** If no thread can be started, the log continues without one. */
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

/** One that is being written, one that waits, and one that is being prepared. */
const pagesAtOnce = 3;
