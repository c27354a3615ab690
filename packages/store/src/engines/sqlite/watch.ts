import type { SqliteDatabase } from "./load.ts";

export interface FileWatch {
  /** Whether somebody waits, which keeps the process alive. */
  setAwaited(isAwaited: boolean): void;
  close(): void;
}

/**
 * Tells when any other connection, in this process or another, changed records. Asking the file's counter takes a few microseconds, and
 * works on every file system; where it moved, the number of the last change tells records from lines of the audit.
 */
export function watchFile(database: SqliteDatabase, onChange: () => void): FileWatch {
  const reader = (sql: string): (() => number) => {
    const statement = database.prepare(sql);
    return () => (statement.all()[0] as { value: number }).value;
  };
  const readCommits = reader("select data_version as value from pragma_data_version");
  const readSequence = reader("select number as value from ends where name = 'sequence'");
  let commits = readCommits();
  let sequence = readSequence();
  const timer = setInterval(() => {
    try {
      if (commits === (commits = readCommits())) return;
      if (sequence !== (sequence = readSequence())) onChange();
    } catch {
      // A file that cannot be read now is looked at again; those who read it are told why.
      commits = -1;
    }
  }, intervalMs);
  return { setAwaited: (isAwaited) => void (isAwaited ? timer.ref() : timer.unref()), close: () => clearInterval(timer) };
}

const intervalMs = 15;
