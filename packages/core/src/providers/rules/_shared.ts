import { type Place, pointerTo, rewriteSchema } from "../../schema/normal/walk.ts";
import { typeNames } from "../../schema/keywords.ts";
import type { JsonSchema } from "../../schema/schema.ts";
import { isObject } from "../../util/json.ts";
import type { VendorRule } from "./rule.ts";

/** Looks at every schema inside a schema. */
export function eachNode(schema: JsonSchema, look: (node: JsonSchema, path: string) => void): void {
  rewriteSchema(schema, (node, place: Place | undefined) => {
    look(node, pointerTo(place));
    return node;
  });
}

export function typesIn(node: JsonSchema): readonly unknown[] {
  return Array.isArray(node["type"]) ? node["type"] : node["type"] === undefined ? [] : [node["type"]];
}

export const rootIsObject: VendorRule = (schema, report) => {
  if (schema["type"] !== "object") report("", "type", 'the root must say type "object"');
};

export const rootHasProperties: VendorRule = (schema, report) => {
  if (!isObject(schema["properties"])) report("", "properties", "the root must have properties, be it an empty object");
};

export function rootWithout(...keywords: readonly string[]): VendorRule {
  return (schema, report) => {
    for (const keyword of keywords) if (Object.hasOwn(schema, keyword)) report("", keyword, `the root must not use ${keyword}`);
  };
}

export const arraysHaveItems: VendorRule = (schema, report) =>
  eachNode(schema, (node, path) => {
    if (typesIn(node).includes("array") && !Object.hasOwn(node, "items") && !Object.hasOwn(node, "prefixItems")) {
      report(path, "items", "a list must say what its items are");
    }
    if (Array.isArray(node["items"])) report(path, "items", "items must be one schema, not a list");
  });

export const requiredIsDeclared: VendorRule = (schema, report) =>
  eachNode(schema, (node, path) => {
    if (!Array.isArray(node["required"])) return;
    const properties = isObject(node["properties"]) ? node["properties"] : {};
    for (const key of node["required"] as string[]) {
      if (!Object.hasOwn(properties, key)) report(path, "required", `${JSON.stringify(key)} is required and not among the properties`);
    }
  });

export function keysMatch(legal: RegExp): VendorRule {
  return (schema, report) =>
    eachNode(schema, (node, path) => {
      for (const key of Object.keys(isObject(node["properties"]) ? node["properties"] : {})) {
        if (!legal.test(key)) report(path, "properties", `the property name ${JSON.stringify(key)} must match ${legal.source}`);
      }
    });
}

export function onlyKeywords(...keywords: readonly string[]): VendorRule {
  const known = new Set(keywords);
  return (schema, report) =>
    eachNode(schema, (node, path) => {
      for (const keyword of Object.keys(node)) if (!known.has(keyword)) report(path, keyword, `${keyword} is not supported`);
    });
}

export function notKeywords(...keywords: readonly string[]): VendorRule {
  return (schema, report) =>
    eachNode(schema, (node, path) => {
      for (const keyword of keywords) if (Object.hasOwn(node, keyword)) report(path, keyword, `${keyword} is not supported`);
    });
}

export const objectsAreClosed: VendorRule = (schema, report) =>
  eachNode(schema, (node, path) => {
    if ((typesIn(node).includes("object") || isObject(node["properties"])) && node["additionalProperties"] !== false) {
      report(path, "additionalProperties", "additionalProperties must be false on every object");
    }
  });

/** Every node says what it is: by type, by a union, or by a reference. */
export const nodesAreTyped: VendorRule = (schema, report) =>
  eachNode(schema, (node, path) => {
    const isSaid = ["type", "anyOf", "$ref"].some((keyword) => Object.hasOwn(node, keyword));
    if (!isSaid) report(path, "type", "a type is needed");
    for (const type of typesIn(node))
      if (!(typeNames as readonly unknown[]).includes(type)) report(path, "type", `${String(type)} is no type`);
  });

export function formatsAmong(...formats: readonly string[]): VendorRule {
  return (schema, report) =>
    eachNode(schema, (node, path) => {
      if (node["format"] !== undefined && !formats.includes(node["format"] as string))
        report(path, "format", `the format ${String(node["format"])} is not supported`);
    });
}

/** Look-around, back-references and word boundaries need an engine that goes back. */
export const patternsAreRegular: VendorRule = (schema, report) =>
  eachNode(schema, (node, path) => {
    if (typeof node["pattern"] === "string" && /\(\?[=!<]|\\[1-9bBk]/.test(node["pattern"])) {
      report(path, "pattern", "the pattern uses look-around, a back-reference or a word boundary");
    }
  });

export const localReferences: VendorRule = (schema, report) =>
  eachNode(schema, (node, path) => {
    if (typeof node["$ref"] !== "string") return;
    const name = /^#\/\$defs\/([^/]+)$/.exec(node["$ref"])?.[1];
    if (name === undefined || !isObject(schema["$defs"]) || !Object.hasOwn(schema["$defs"], name)) {
      report(path, "$ref", `${node["$ref"]} is not a definition under $defs`);
    }
  });
