import { loadCore } from "../lib/core.mjs";
import { nestedSchema } from "./nested.mjs";

/** A schema that was never seen before, each time, so that nothing kept from the last time helps. */
export async function adaptTo(target) {
  const { adaptSchema } = await loadCore("vendors");
  return () => adaptSchema({ ...nestedSchema }, target);
}
