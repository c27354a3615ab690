import { dropArguments, dropKeywords, keepKeywords } from "./keywords.ts";
import { when } from "./pass.ts";
import { inclusiveBounds } from "./passes/bounds.ts";
import { dropConditions } from "./passes/conditions.ts";
import { dropUnusedDefinitions, optionalCycles } from "./passes/cycles.ts";
import { dropEnumsWith, limitEnums, plainEnums } from "./passes/enums.ts";
import { keepFormats, portablePatterns } from "./passes/formats.ts";
import { removeImpossible } from "./passes/impossible.ts";
import { declareRequired, widenPatternProperties } from "./passes/maps.ts";
import { openApiTypes } from "./passes/nullable.ts";
import { plainRoot } from "./passes/root.ts";
import { declareItems, widenTuples } from "./passes/tuples.ts";
import { declareTypes, splitTypes } from "./passes/typed.ts";
import { tidyUnions, uniteObjects, uniteUnions } from "./passes/unions.ts";

/** The passes of the built-in vendors, for vendors of your own. Some are passes, others make one: `dropKeywords(["uniqueItems"])`. */
export const schemaPasses: {
  readonly declareItems: typeof declareItems;
  readonly declareRequired: typeof declareRequired;
  readonly declareTypes: typeof declareTypes;
  readonly dropArguments: typeof dropArguments;
  readonly dropConditions: typeof dropConditions;
  readonly dropEnumsWith: typeof dropEnumsWith;
  readonly dropKeywords: typeof dropKeywords;
  readonly dropUnusedDefinitions: typeof dropUnusedDefinitions;
  readonly inclusiveBounds: typeof inclusiveBounds;
  readonly keepFormats: typeof keepFormats;
  readonly keepKeywords: typeof keepKeywords;
  readonly limitEnums: typeof limitEnums;
  readonly openApiTypes: typeof openApiTypes;
  readonly optionalCycles: typeof optionalCycles;
  readonly plainEnums: typeof plainEnums;
  readonly plainRoot: typeof plainRoot;
  readonly portablePatterns: typeof portablePatterns;
  readonly removeImpossible: typeof removeImpossible;
  readonly splitTypes: typeof splitTypes;
  readonly tidyUnions: typeof tidyUnions;
  readonly uniteObjects: typeof uniteObjects;
  readonly uniteUnions: typeof uniteUnions;
  readonly when: typeof when;
  readonly widenPatternProperties: typeof widenPatternProperties;
  readonly widenTuples: typeof widenTuples;
} = Object.freeze({
  declareItems,
  declareRequired,
  declareTypes,
  dropArguments,
  dropConditions,
  dropEnumsWith,
  dropKeywords,
  dropUnusedDefinitions,
  inclusiveBounds,
  keepFormats,
  keepKeywords,
  limitEnums,
  openApiTypes,
  optionalCycles,
  plainEnums,
  plainRoot,
  portablePatterns,
  removeImpossible,
  splitTypes,
  tidyUnions,
  uniteObjects,
  uniteUnions,
  when,
  widenPatternProperties,
  widenTuples,
});
