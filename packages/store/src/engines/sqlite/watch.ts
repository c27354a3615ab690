import type { SqliteDatabase } from "./load.ts";

export interface FileWatch {
  /** Whether somebody waits, which keeps the process alive. */
  setAwaited(isAwaited: boolean): void;
  close(): void;
}

/**
 * Tells when any other connection, in this process or another, committed something. Asking the file's counter takes a few
 * microseconds, and works on every file system.
 */
export function watchFile(database: SqliteDatabase, onChange: () => void): FileWatch {
  const statement = database.prepare("pragma data_version");
  const read = (): number => (statement.all()[0] as { data_version: number }).data_version;
  let known = read();
  const timer = setInterval(() => {
    const current = read();
    if (current === known) return;
    known = current;
    onChange();
  }, intervalMs);
  return { setAwaited: (isAwaited) => void (isAwaited ? timer.ref() : timer.unref()), close: () => clearInterval(timer) };
}

const intervalMs = 15;
