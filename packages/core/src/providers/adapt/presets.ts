import type { ProviderSchema } from "../provider.ts";
import type { AdaptPass } from "./pass.ts";
import { dropConditions } from "./passes/conditions.ts";
import { plainEnums } from "./passes/enums.ts";
import { removeImpossible } from "./passes/impossible.ts";
import { declareRequired, widenPatternProperties } from "./passes/maps.ts";
import { plainRoot } from "./passes/root.ts";
import { declareItems, widenTuples } from "./passes/tuples.ts";
import { declareTypes, splitTypes } from "./passes/typed.ts";
import { tidyUnions } from "./passes/unions.ts";

/** For vendors that take nearly any JSON Schema below a plain object at the root. */
export const looseSchema: ProviderSchema = { start: "as-written", passes: [plainRoot, declareItems] };

/**
 * After these passes nothing is conditional, unions stand alone and every schema has one type. A `shape` needs them first, because it
 * translates values.
 */
export const plainNodePasses: readonly AdaptPass[] = [
  removeImpossible,
  declareRequired,
  plainRoot,
  tidyUnions,
  dropConditions,
  widenPatternProperties,
  widenTuples,
  tidyUnions,
  declareRequired,
  declareTypes,
  plainEnums,
  splitTypes,
  removeImpossible,
  declareItems,
];
