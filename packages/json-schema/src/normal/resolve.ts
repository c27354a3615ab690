import { isObject, type JsonObject } from "../util/json.ts";
import { subschemas, unescapePointer } from "../schema/keywords.ts";
import type { JsonSchema } from "../schema/schema.ts";

/** Finds what a `$ref` of this document means. */
export interface ReferenceIndex {
  /** The schema that `reference`, written in `from`, leads to; `undefined` if it leads nowhere. */
  find(reference: string, from: JsonSchema): JsonSchema | boolean | undefined;
}

/** A part of the document with its own `$id`: pointers and anchors written in it start there. */
interface Resource {
  readonly uri: string;
  readonly root: JsonSchema;
  readonly anchors: Map<string, JsonSchema>;
}

export function indexReferences(document: JsonSchema): ReferenceIndex {
  const resources = new Map<string, Resource>();
  const home = new Map<JsonSchema, Resource>();

  function enter(schema: JsonSchema, outer: Resource | undefined): void {
    if (home.has(schema)) return;
    const id = schema["$id"];
    let resource = outer;
    if (resource === undefined || (typeof id === "string" && !id.startsWith("#"))) {
      const uri = resolveUri(typeof id === "string" ? id : "", outer?.uri ?? noBase);
      resource = { uri, root: schema, anchors: new Map() };
      resources.set(withoutFragment(uri), resource);
    } else if (typeof id === "string") {
      resource.anchors.set(id.slice(1), schema); // draft-07 wrote anchors this way
    }
    home.set(schema, resource);
    for (const anchor of [schema["$anchor"], schema["$dynamicAnchor"]])
      if (typeof anchor === "string") resource.anchors.set(anchor, schema);
    for (const [, inner] of subschemas(schema)) if (isObject(inner)) enter(inner, resource);
  }
  enter(document, undefined);
  const main = home.get(document)!;

  return {
    find(reference, from) {
      const [address = "", fragment = ""] = splitOnce(reference, "#");
      const here = home.get(from) ?? main;
      const resource = address === "" ? here : (resources.get(withoutFragment(resolveUri(address, here.uri))) ?? undefined);
      if (resource === undefined) return undefined;
      const target = findFragment(resource, decode(fragment));
      // Pointers may lead to places that no keyword names, such as "#/components/schemas/Pet".
      if (isObject(target)) enter(target, resource);
      return isObject(target) || typeof target === "boolean" ? target : undefined;
    },
  };
}

function findFragment(resource: Resource, fragment: string): unknown {
  if (fragment === "") return resource.root;
  if (!fragment.startsWith("/")) return resource.anchors.get(fragment);
  let found: unknown = resource.root;
  for (const part of fragment.slice(1).split("/")) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, unescapePointer(part))) return undefined;
    found = (found as JsonObject)[unescapePointer(part)];
  }
  return found;
}

const noBase = "schema:///";

function resolveUri(reference: string, base: string): string {
  try {
    return new URL(reference, base).href;
  } catch {
    return reference;
  }
}

function withoutFragment(uri: string): string {
  return splitOnce(uri, "#")[0]!;
}

function splitOnce(text: string, mark: string): string[] {
  const at = text.indexOf(mark);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

function decode(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
