import type { Provider } from "./provider.ts";

/**
 * Remembers what was made of an object for a vendor, by a key that tells the options. What belongs to a vendor or an object that nobody uses
 * any more is forgotten with it.
 */
export interface ProviderMemory<Subject extends object, Value> {
  get(provider: Provider, subject: Subject, key: string): Value | undefined;
  set(provider: Provider, subject: Subject, key: string, value: Value): void;
}

export function createProviderMemory<Subject extends object, Value>(): ProviderMemory<Subject, Value> {
  const known = new WeakMap<Provider, WeakMap<Subject, Map<string, Value>>>();
  return {
    get: (provider, subject, key) => known.get(provider)?.get(subject)?.get(key),
    set(provider, subject, key, value) {
      const bySubject = known.get(provider) ?? new WeakMap<Subject, Map<string, Value>>();
      const byKey = bySubject.get(subject) ?? new Map<string, Value>();
      if (byKey.size >= maxKeys) byKey.clear();
      known.set(provider, bySubject.set(subject, byKey.set(key, value)));
    },
  };
}

/** Programs use few options; one that passes new ones each time must not make the memory grow without end. */
const maxKeys = 64;
