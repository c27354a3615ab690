import type { SqliteDatabase } from "./load.ts";

export interface FileWatch {
  /** Whether a caller waits, which keeps the process alive. */
  setAwaited(isAwaited: boolean): void;
  close(): void;
}

/**
 * Detects changes of records and of tickets by other connections, in this process or another. Reading the change counter of the file takes a few
 * microseconds, and works on every file system; if it moved, the numbers of the last changes tell both from lines of the audit.
 */
export function watchFile(database: SqliteDatabase, onChange: () => void, onTicket: () => void): FileWatch {
  const reader = (sql: string): (() => number) => {
    const statement = database.prepare(sql);
    return () => (statement.all()[0] as { value: number }).value;
  };
  const readCommits = reader("select data_version as value from pragma_data_version");
  const readSequence = reader("select number as value from ends where name = 'sequence'");
  const readTickets = reader("select number as value from ends where name = 'tickets'");
  let commits = readCommits();
  let sequence = readSequence();
  let tickets = readTickets();
  let quiet = 0;
  let isAwaited = false;
  let timer: NodeJS.Timeout | undefined;
  const look = (): void => {
    try {
      if (commits === (commits = readCommits())) quiet += 1;
      else {
        quiet = 0;
        if (sequence !== (sequence = readSequence())) onChange();
        if (tickets !== (tickets = readTickets())) onTicket();
      }
    } catch {
      // A file that cannot be read now is checked again later; readers get the error.
      commits = -1;
    }
    lookLater();
  };
  /** Seldom while nothing happens: then waking up is what this process spends its time with. */
  function lookLater(): void {
    timer = setTimeout(look, quiet < quietLooks ? intervalMs : quietIntervalMs);
    if (!isAwaited) timer.unref();
  }
  lookLater();
  return {
    setAwaited(is) {
      isAwaited = is;
      if (is) timer?.ref();
      else timer?.unref();
    },
    close: () => clearTimeout(timer),
  };
}

const intervalMs = 15;
const quietIntervalMs = 50;
/** About a second. */
const quietLooks = 66;
