/** What was opened, to be closed in the opposite order. */
export interface Closers {
  add(close: () => unknown): void;
  /** One that fails keeps no other from being closed. */
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
