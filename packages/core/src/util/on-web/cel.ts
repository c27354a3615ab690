import { Environment } from "@marcbachmann/cel-js";
import type { loadCel as onNode } from "../on-node/cel.ts";

/** Bundled with the program: nothing can be loaded at once where there is no `require`. */
export const loadCel: typeof onNode = () => ({ Environment });
