export interface Listeners<Told extends readonly unknown[] = []> {
  readonly count: number;
  add(listener: (...told: Told) => void): () => void;
  tell(...told: Told): void;
}

export function createListeners<Told extends readonly unknown[] = []>(): Listeners<Told> {
  const listeners = new Set<(...told: Told) => void>();
  return {
    get count() {
      return listeners.size;
    },
    add(listener) {
      const own = (...told: Told): void => listener(...told);
      listeners.add(own);
      return () => void listeners.delete(own);
    },
    tell(...told) {
      for (const listener of listeners) listener(...told);
    },
  };
}
