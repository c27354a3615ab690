/** Closes what was opened, in reverse order. */
export interface Closers {
  add(close: () => unknown): void;
  /** A close that fails does not prevent the others. */
  close(): Promise<void>;
}

export function createClosers(onError: (error: unknown) => void): Closers {
  const opened: (() => unknown)[] = [];
  return {
    add: (close) => void opened.push(close),
    async close() {
      for (const close of opened.splice(0).reverse()) {
        try {
          await close();
        } catch (error) {
          onError(error);
        }
      }
    },
  };
}
