import {
  arraysHaveItems,
  formatsAmong,
  keysMatch,
  localReferences,
  nodesAreTyped,
  notKeywords,
  objectsAreClosed,
  onlyKeywords,
  patternsAreRegular,
  requiredIsDeclared,
  rootHasProperties,
  rootIsObject,
  rootWithout,
} from "./common.ts";

/** The rules of the built-in vendors, for vendors of your own. Some are rules, others make one: `notKeywords("uniqueItems")`. */
export const vendorRules: {
  readonly arraysHaveItems: typeof arraysHaveItems;
  readonly formatsAmong: typeof formatsAmong;
  readonly keysMatch: typeof keysMatch;
  readonly localReferences: typeof localReferences;
  readonly nodesAreTyped: typeof nodesAreTyped;
  readonly notKeywords: typeof notKeywords;
  readonly objectsAreClosed: typeof objectsAreClosed;
  readonly onlyKeywords: typeof onlyKeywords;
  readonly patternsAreRegular: typeof patternsAreRegular;
  readonly requiredIsDeclared: typeof requiredIsDeclared;
  readonly rootHasProperties: typeof rootHasProperties;
  readonly rootIsObject: typeof rootIsObject;
  readonly rootWithout: typeof rootWithout;
} = Object.freeze({
  arraysHaveItems,
  formatsAmong,
  keysMatch,
  localReferences,
  nodesAreTyped,
  notKeywords,
  objectsAreClosed,
  onlyKeywords,
  patternsAreRegular,
  requiredIsDeclared,
  rootHasProperties,
  rootIsObject,
  rootWithout,
});
