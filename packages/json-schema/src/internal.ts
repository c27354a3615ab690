/**
 * Parts that the packages of this repository share. They may change with every version, without a word in the changelog: import nothing
 * from here in a program of your own.
 */
export { formats } from "./format/formats.ts";
export { isDate } from "./format/time.ts";
export { both, intersectSchemas } from "./normal/intersect.ts";
export {
  annotationKeywords,
  isImpossible,
  type Place,
  pointerTo,
  rewriteChildren,
  rewriteSchema,
  usedKeywords,
  without,
} from "./normal/walk.ts";
export { type CharSet, complementOf, contains, maxCodePoint, unionOf, wordCharacters } from "./pattern/charset.ts";
export { parseRegex, type Regex, someRegex } from "./pattern/parse.ts";
export { sizeOf } from "./pattern/size.ts";
export { checkDialect } from "./schema/dialects.ts";
export { escapePointer, keywords, subschemas, typeNames, unescapePointer } from "./schema/keywords.ts";
export { describe as describeValue, readSchemaShape, type UnknownKeyword, unknownKeywordsOf } from "./schema/read-shape.ts";
export { localTarget } from "./schema/local-reference.ts";
export { plainParser } from "./standard/standard.ts";
export { standardParser } from "./standard/standard-parser.ts";
export { standardShape } from "./standard/standard-shape.ts";
export { hasOwn, isObject, type JsonObject } from "./util/json.ts";
export { misspellingOf, nearestNames } from "./util/nearest.ts";
export { createResources } from "./validate/engine/resources.ts";
export { nameOf, pointerOf, show } from "./validate/issues.ts";
export { validatorCount } from "./validate/validate.ts";
