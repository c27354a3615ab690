import { localReferences, rootHasProperties, rootIsObject } from "./common.ts";
import type { VendorRule } from "./rule.ts";

/** The plain form { name, description, parameters }: an object schema. */
export const genericRules: readonly VendorRule[] = [rootIsObject, rootHasProperties, localReferences];
