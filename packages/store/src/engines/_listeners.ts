export interface Listeners {
  readonly count: number;
  add(listener: () => void): () => void;
  tell(): void;
}

export function createListeners(): Listeners {
  const listeners = new Set<() => void>();
  return {
    get count() {
      return listeners.size;
    },
    add(listener) {
      const own = (): void => listener();
      listeners.add(own);
      return () => void listeners.delete(own);
    },
    tell() {
      for (const listener of listeners) listener();
    },
  };
}
