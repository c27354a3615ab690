import { StoreError } from "../../errors.ts";
import type { Engine } from "../../engine/engine.ts";
import type { AuditKeys } from "../../store/create-store.ts";
import { type RetryQueue, type RetryQueueEvent, type RetryQueueOptions, createRetryQueue, fullText } from "./retry-queue.ts";
import { createBacklogFile, takeFiles } from "./backlog-file.ts";
import { writeLateEnds } from "./write-late-ends.ts";
import type { EndLine, Line } from "../call-line.ts";
import type { LineWriter } from "../line-writer.ts";

export interface EndBacklogOptions extends Omit<RetryQueueOptions, "onEvent"> {
  /** The folder in which ends are also saved on disk, one file per server. It must contain nothing else. @default memory only */
  readonly folder?: string;
  /** Called when the first end is saved, when all were written, and when something went wrong. */
  readonly onEvent?: (event: EndBacklogEvent) => void;
}

export type EndBacklogEvent =
  | RetryQueueEvent
  /** The ends that a stopped server had saved on disk were written. */
  | {
      readonly type: "recovered";
      readonly server: string;
      readonly ends: number;
      readonly contradicted: readonly string[];
      /** Lines of its file that were cut off or have no valid MAC. */
      readonly unreadable: number;
    };

/** Saves the ends of calls that the store does not accept, and writes those that a crash left on disk. */
export interface EndBacklog extends Pick<RetryQueue, "count" | "dropped" | "find" | "settle"> {
  /** Throws if there is no room for the end of another call. */
  requireRoom(): void;
  /** Writes lines together. While ends are waiting, further ends queue behind them. */
  write(lines: readonly Line[]): Promise<void>;
  /** Saves an end that was not written. Throws if there is no room, or if the store refused it for good. */
  save(line: EndLine, error: unknown): void;
  /** Call these with the outcome of the start of a call. */
  onBegun(): void;
  onNotBegun(): void;
  /** Writes the ends that other servers left on disk. Safe while one of them still runs. Returns how many ends. */
  recover(): Promise<number>;
}

export interface EndBacklogParts {
  readonly engine: Engine;
  readonly owner: string;
  readonly server: string;
  readonly keys: AuditKeys;
  readonly writer: LineWriter;
}

export function createEndBacklog({ engine, owner, server, keys, writer }: EndBacklogParts, options: EndBacklogOptions): EndBacklog {
  const { folder, maxEnds = 10_000, maxBytes = 64 * 1024 * 1024, onEvent = () => undefined } = options;
  const files = folder === undefined || server === "" ? undefined : { folder, server, keys };
  const file = files && createBacklogFile(files);
  const queue = createRetryQueue({ file, write: writer.writeLate }, { maxEnds, maxBytes, onEvent });

  function save(line: EndLine, error: unknown): void {
    if (line.isSaved === true) return;
    if (!mayComeBack(error)) throw error;
    writer.prepare(line);
    queue.add({ content: line.content!, call: line.call }, error);
    line.isSaved = true;
  }

  return {
    get count() {
      return queue.count;
    },
    get dropped() {
      return queue.dropped;
    },
    find: queue.find,
    settle: queue.settle,
    save,
    requireRoom() {
      if (queue.isFull) throw new StoreError("STORE_UNAVAILABLE", fullText(maxEnds, maxBytes));
    },
    async write(lines) {
      if (queue.count === 0) return writer.write(lines);
      const begun = lines.filter((line) => line.type === "begin");
      for (const line of lines) if (line.type === "end") save(line, undefined);
      if (begun.length > 0) await writer.write(begun);
    },
    onBegun() {
      if (queue.count > 0) queue.retryNow();
    },
    onNotBegun() {
      if (writer.hasLeftovers) queue.retryLater();
    },
    async recover() {
      let count = 0;
      for (const taken of files === undefined ? [] : takeFiles(files)) {
        const ends = taken.contents.filter((content) => content[1] === owner);
        const contradicted: string[] = [];
        let written = 0;
        for (let start = 0; start < ends.length; start += endsAtOnce) {
          const page = {
            owner,
            key: keys.current,
            ends: ends.slice(start, start + endsAtOnce),
            removed: [],
            saved: [],
            fromAnother: true,
          };
          const outcome = await writeLateEnds(engine, page);
          written += outcome.written;
          contradicted.push(...outcome.contradicted);
        }
        // Ends of another owner stay in the file.
        if (ends.length === taken.contents.length) taken.remove();
        count += written;
        onEvent({ type: "recovered", server: taken.server, ends: written, contradicted, unreadable: taken.unreadable });
      }
      return count;
    },
  };
}

const endsAtOnce = 100;

/** Whether the store may accept it later. A lost lease and a refused value are final. */
function mayComeBack(error: unknown): boolean {
  return !StoreError.is(error) || (error.status === 503 && error.code !== "LEASE_LOST");
}
