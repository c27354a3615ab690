import type { JsonSchema } from "@toolrack/json-schema";
import { isObject } from "@toolrack/json-schema/internal";
import { localReferences, onlyKeywords, propertiesIn, requiredIn, requiredIsDeclared, rootIsObject, rootWithout } from "./common.ts";
import type { NodeRule, VendorRule, WholeRule } from "./rule.ts";

const referencesStandAlone: NodeRule = {
  node(node, report) {
    const hasCompany = typeof node["$ref"] === "string" && Object.keys(node).some((keyword) => !keyword.startsWith("$"));
    if (hasCompany) report("$ref", "nothing may stand beside $ref");
  },
};

const referencesAreOptional: WholeRule = {
  whole(schema, report) {
    const look = (node: JsonSchema, path: string, isOptional: boolean): void => {
      if (typeof node["$ref"] === "string" && !isOptional)
        report(path, "$ref", "a reference may only stand inside a property that is not required");
      const required = requiredIn(node);
      for (const [key, inner] of Object.entries(propertiesIn(node))) {
        look(inner as JsonSchema, `${path}/properties/${key}`, isOptional || !required.includes(key));
      }
      for (const keyword of ["items", "additionalProperties"])
        if (isObject(node[keyword])) look(node[keyword], `${path}/${keyword}`, isOptional);
      for (const keyword of ["anyOf", "prefixItems"]) {
        const list = Array.isArray(node[keyword]) ? (node[keyword] as JsonSchema[]) : [];
        list.forEach((inner, index) => look(inner, `${path}/${keyword}/${index}`, isOptional));
      }
    };
    look(schema, "", false);
    for (const [name, inner] of Object.entries(isObject(schema["$defs"]) ? schema["$defs"] : {}))
      look(inner as JsonSchema, `/$defs/${name}`, false);
  },
};

/**
 * Gemini `parametersJsonSchema`. Source: the API's text on `responseJsonSchema`: the keywords below are read, others ignored, "cyclic
 * references … may only be used within non-required properties", "$ref … other keywords must not be set" beside it.
 * A keyword that is ignored says something to nobody, so it counts as a violation here.
 */
export const geminiRules: readonly VendorRule[] = [
  rootIsObject,
  rootWithout("anyOf", "oneOf", "$ref"),
  requiredIsDeclared,
  onlyKeywords(
    ..."$id $defs $ref $anchor type format title description enum items prefixItems minItems maxItems minimum maximum".split(" "),
    ..."anyOf oneOf properties additionalProperties required propertyOrdering".split(" "),
  ),
  localReferences,
  referencesStandAlone,
  referencesAreOptional,
];
