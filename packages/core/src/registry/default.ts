import { createRegistry } from "./create.ts";
import type { Registry } from "./registry.ts";

/** One registry for a whole process, for those who want one: it exists only once someone imports this entry. */
export const registry: Registry<undefined> = createRegistry();
