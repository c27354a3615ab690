import { loadLate } from "./platform.ts";

/** The package for conditions: loaded when the first one is compiled. */
export function loadCel(): Pick<typeof import("@marcbachmann/cel-js"), "Environment"> {
  return loadLate("@marcbachmann/cel-js");
}
