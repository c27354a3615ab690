import { isObject, type JsonObject, typeNames } from "@toolrack/json-schema/internal";
import type { JsonSchema } from "@toolrack/json-schema";
import type { NodeRule, VendorRule, WholeRule } from "./rule.ts";

export function typesIn(node: JsonSchema): readonly unknown[] {
  return Array.isArray(node["type"]) ? node["type"] : node["type"] === undefined ? [] : [node["type"]];
}

export function propertiesIn(node: JsonSchema): JsonObject {
  return isObject(node["properties"]) ? node["properties"] : {};
}

export function requiredIn(node: JsonSchema): readonly string[] {
  return Array.isArray(node["required"]) ? (node["required"] as string[]) : [];
}

export const rootIsObject: WholeRule = {
  whole(schema, report) {
    if (schema["type"] !== "object") report("", "type", 'the root must say type "object"');
  },
};

export const rootHasProperties: WholeRule = {
  whole(schema, report) {
    if (!isObject(schema["properties"])) report("", "properties", "the root must have properties, be it an empty object");
  },
};

export function rootWithout(...keywords: readonly string[]): WholeRule {
  return {
    whole(schema, report) {
      for (const keyword of keywords) if (Object.hasOwn(schema, keyword)) report("", keyword, `the root must not use ${keyword}`);
    },
  };
}

export const arraysHaveItems: NodeRule = {
  node(node, report) {
    const isSaid = Object.hasOwn(node, "items") || Object.hasOwn(node, "prefixItems");
    if (!isSaid && typesIn(node).includes("array")) report("items", "a list must say what its items are");
    if (Array.isArray(node["items"])) report("items", "items must be one schema, not a list");
  },
};

export const requiredIsDeclared: NodeRule = {
  node(node, report) {
    const properties = propertiesIn(node);
    for (const key of requiredIn(node)) {
      if (!Object.hasOwn(properties, key)) report("required", `${JSON.stringify(key)} is required and not among the properties`);
    }
  },
};

export function keysMatch(legal: RegExp): NodeRule {
  return {
    node(node, report) {
      for (const key of Object.keys(propertiesIn(node))) {
        if (!legal.test(key)) report("properties", `the property name ${JSON.stringify(key)} must match ${legal.source}`);
      }
    },
  };
}

export function onlyKeywords(...keywords: readonly string[]): NodeRule {
  const known = new Set(keywords);
  return {
    node(node, report) {
      for (const keyword of Object.keys(node)) if (!known.has(keyword)) report(keyword, `${keyword} is not supported`);
    },
  };
}

export function notKeywords(...keywords: readonly string[]): NodeRule {
  return {
    node(node, report) {
      for (const keyword of keywords) if (Object.hasOwn(node, keyword)) report(keyword, `${keyword} is not supported`);
    },
  };
}

export const objectsAreClosed: NodeRule = {
  node(node, report) {
    const isObjectNode = isObject(node["properties"]) || typesIn(node).includes("object");
    if (isObjectNode && node["additionalProperties"] !== false)
      report("additionalProperties", "additionalProperties must be false on every object");
  },
};

/** Every node says what it is: by type, by a union, or by a reference. */
export const nodesAreTyped: NodeRule = {
  node(node, report) {
    const isSaid = Object.hasOwn(node, "type") || Object.hasOwn(node, "anyOf") || Object.hasOwn(node, "$ref");
    if (!isSaid) report("type", "a type is needed");
    for (const type of typesIn(node)) if (!(typeNames as readonly unknown[]).includes(type)) report("type", `${String(type)} is no type`);
  },
};

export function formatsAmong(...formats: readonly string[]): NodeRule {
  return {
    node(node, report) {
      const { format } = node;
      if (format !== undefined && !formats.includes(format as string)) report("format", `the format ${String(format)} is not supported`);
    },
  };
}

/** Look-around, back-references and word boundaries need an engine that backtracks. */
export const patternsAreRegular: NodeRule = {
  node(node, report) {
    const { pattern } = node;
    if (typeof pattern !== "string" || !/\(\?[=!<]|\\[1-9bBk]/.test(pattern)) return;
    report("pattern", "the pattern uses look-around, a back-reference or a word boundary");
  },
};

export const localReferences: NodeRule = {
  node(node, report, root) {
    if (typeof node["$ref"] !== "string") return;
    const name = /^#\/\$defs\/([^/]+)$/.exec(node["$ref"])?.[1];
    const isThere = name !== undefined && isObject(root["$defs"]) && Object.hasOwn(root["$defs"], name);
    if (!isThere) report("$ref", `${node["$ref"]} is not a definition under $defs`);
  },
};

/** What the vendors of the Chat format have in common: a plain object at the root, and lists that say what their items are. */
export const chatRules: readonly VendorRule[] = [
  rootIsObject,
  rootHasProperties,
  rootWithout("anyOf", "oneOf", "allOf", "enum", "not", "$ref"),
  arraysHaveItems,
  localReferences,
];
