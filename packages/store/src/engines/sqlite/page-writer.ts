import type { LogPage } from "../_log.ts";
import type { LogThread } from "./log-thread.ts";

export interface PageWriterOptions {
  /** How many pages are written here before a thread is worth its while; 0 begins with it. */
  readonly pagesBeforeThread: number;
  /** `onEnd` is told when the thread is no longer there. */
  startThread(onEnd: () => void): Promise<LogThread>;
  writeHere(page: LogPage): Promise<void>;
}

/** Writes the pages of a log, one at a time: here, and from some number on in a thread. */
export interface PageWriter {
  write(page: LogPage): Promise<void>;
  close(): Promise<void>;
}

export async function createPageWriter({ pagesBeforeThread, startThread, writeHere }: PageWriterOptions): Promise<PageWriter> {
  let thread: LogThread | undefined;
  let pages = 0;

  /** Where a thread cannot be had, the log goes on without. */
  async function start(): Promise<void> {
    thread = await startThread(() => (thread = undefined)).catch(() => undefined);
  }

  let starting = pagesBeforeThread === 0 ? start() : undefined;
  await starting;
  return {
    write(page) {
      pages += 1;
      if (pages === pagesBeforeThread) starting = start();
      return thread === undefined ? writeHere(page) : thread.write(page);
    },
    async close() {
      await starting;
      await thread?.close();
    },
  };
}
