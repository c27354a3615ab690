import { createMemoryEngine } from "../engines/memory/memory.ts";
import { createStore, type StoreOptions } from "./create-store.ts";
import type { BreadcrumbStore } from "./store.ts";

/** A store in the process, gone when it ends. */
export function createMemoryStore(options: StoreOptions = {}): BreadcrumbStore {
  return createStore(createMemoryEngine(), options);
}
