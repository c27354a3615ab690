import { SchemaError } from "../../errors.ts";
import { hasOwn, isObject, type JsonObject } from "../../util/json.ts";
import { subschemas, unescapePointer } from "../../schema/keywords.ts";
import { readSchema } from "../../schema/read-schema.ts";
import { draftOf, unknownDialect } from "../../schema/dialects.ts";
import { metaschema } from "./metaschema.ts";

export interface Dialect {
  readonly draft: "2020-12" | "draft-07";
  /** False where the schema's own metaschema leaves the validation vocabulary out. */
  readonly validation: boolean;
}

/** A schema with a base URI of its own: a document, or a part of one that has an `$id`. */
export interface Resource {
  readonly uri: string;
  readonly root: unknown;
  readonly dialect: Dialect;
  readonly anchors: Map<string, JsonObject>;
  readonly dynamicAnchors: Map<string, JsonObject>;
}

export interface Located {
  readonly schema: unknown;
  readonly resource: Resource;
}

/** All schemas that one schema can reach: its own parts and the documents handed in. Nothing is ever fetched. */
export interface Resources {
  readonly root: Located;
  resourceOf(schema: object, parent: Resource): Resource;
  resolve(reference: string, from: Resource): Located;
  /** Whether any schema met so far has a `$dynamicRef`, whose meaning depends on the way that led to it. */
  isDynamic(): boolean;
}

export interface ResourceOptions {
  readonly dialect: Dialect["draft"];
  /** Documents that a `$ref` may name, by URI. */
  readonly remotes?: Readonly<Record<string, unknown>>;
}

export function createResources(schema: unknown, options: ResourceOptions): Resources {
  const byUri = new Map<string, Resource>();
  const bySchema = new WeakMap<object, Resource>();
  let dynamic = false;
  const remotes = new Map(Object.entries(options.remotes ?? {}).map(([uri, document]) => [withoutFragment(uri), document]));

  function addDocument(document: unknown, uri: string, fallback: Dialect): Resource {
    const declared = isObject(document) && typeof document["$id"] === "string" ? joinUri(document["$id"], uri) : uri;
    const resource = addResource(document, withoutFragment(declared), dialectOf(document, fallback));
    byUri.set(uri, resource);
    walk(document, resource);
    return resource;
  }

  function addResource(root: unknown, uri: string, dialect: Dialect): Resource {
    const resource: Resource = { uri, root, dialect, anchors: new Map(), dynamicAnchors: new Map() };
    byUri.set(uri, resource);
    if (isObject(root)) bySchema.set(root, resource);
    return resource;
  }

  function walk(schema: unknown, parent: Resource): void {
    if (!isObject(schema)) return;
    const resource = bySchema.get(schema) ?? ownResource(schema, parent);
    bySchema.set(schema, resource);
    noteAnchors(schema, resource);
    if (hasOwn(schema, "$dynamicRef")) dynamic = true;
    for (const [, inner] of subschemas(schema)) walk(inner, resource);
  }

  function ownResource(schema: JsonObject, parent: Resource): Resource {
    const id = schema["$id"];
    if (typeof id !== "string" || id.startsWith("#")) return parent;
    if (parent.dialect.draft === "draft-07" && hasOwn(schema, "$ref")) return parent;
    return addResource(schema, withoutFragment(joinUri(id, parent.uri)), dialectOf(schema, parent.dialect));
  }

  function noteAnchors(schema: JsonObject, resource: Resource): void {
    if (resource.dialect.draft === "draft-07") {
      const id = schema["$id"];
      if (typeof id === "string" && id.includes("#") && !hasOwn(schema, "$ref"))
        resource.anchors.set(id.slice(id.indexOf("#") + 1), schema);
      return;
    }
    if (typeof schema["$anchor"] === "string") resource.anchors.set(schema["$anchor"], schema);
    if (typeof schema["$dynamicAnchor"] === "string") {
      resource.anchors.set(schema["$dynamicAnchor"], schema);
      resource.dynamicAnchors.set(schema["$dynamicAnchor"], schema);
    }
  }

  /** The dialect that a schema's `$schema` names; a metaschema of the user's own is looked up among the documents handed in. */
  function dialectOf(schema: unknown, fallback: Dialect): Dialect {
    const named = isObject(schema) ? schema["$schema"] : undefined;
    if (typeof named !== "string") return fallback;
    const draft = draftOf(named);
    if (draft !== undefined) return { draft, validation: true };
    const uri = withoutFragment(named);
    const document = remotes.get(uri) ?? metaschema(uri);
    if (document === undefined) throw unknownDialect(named);
    const vocabulary = isObject(document) ? document["$vocabulary"] : undefined;
    if (!isObject(vocabulary)) return fallback;
    return { draft: "2020-12", validation: hasOwn(vocabulary, "https://json-schema.org/draft/2020-12/vocab/validation") };
  }

  function findResource(uri: string): Resource | undefined {
    const found = byUri.get(uri);
    if (found !== undefined) return found;
    const document = remotes.has(uri) ? readRemote(uri, remotes.get(uri)) : metaschema(uri);
    return document === undefined ? undefined : addDocument(document, uri, root.dialect);
  }

  function resolve(reference: string, from: Resource): Located {
    const absolute = joinUri(reference, from.uri);
    const hash = absolute.indexOf("#");
    const uri = hash < 0 ? absolute : absolute.slice(0, hash);
    const fragment = hash < 0 ? "" : decodeFragment(absolute.slice(hash + 1));
    const resource = findResource(uri);
    if (resource === undefined) {
      throw new SchemaError(
        "SCHEMA_INVALID",
        `The schema refers to "${reference}", which is not part of it. References are never fetched: inline it, or hand it in.`,
      );
    }
    if (fragment === "") return { schema: resource.root, resource };
    const target = fragment.startsWith("/") ? followPointer(resource, fragment) : anchored(resource, fragment);
    if (target === undefined)
      throw new SchemaError("SCHEMA_INVALID", `The schema refers to "${reference}", and nothing is there. Correct the reference.`);
    return target;
  }

  function anchored(resource: Resource, name: string): Located | undefined {
    const schema = resource.anchors.get(name);
    return schema && { schema, resource };
  }

  function followPointer(start: Resource, pointer: string): Located | undefined {
    let schema: unknown = start.root;
    let resource = start;
    for (const part of pointer.slice(1).split("/")) {
      const key = unescapePointer(part);
      if (typeof schema !== "object" || schema === null || !hasOwn(schema, key)) return undefined;
      schema = (schema as JsonObject)[key];
      if (isObject(schema)) resource = bySchema.get(schema) ?? resource;
    }
    // A reference may lead to a place that no keyword describes; what is there is a schema all the same.
    if (isObject(schema) && !bySchema.has(schema)) walk(schema, resource);
    return { schema, resource };
  }

  const resource = addDocument(schema, defaultUri, { draft: options.dialect, validation: true });
  const root = { schema, resource, dialect: resource.dialect };
  return { root, resolve, resourceOf: (inner, parent) => bySchema.get(inner) ?? parent, isDynamic: () => dynamic };
}

function readRemote(uri: string, document: unknown): unknown {
  try {
    return typeof document === "boolean" ? document : readSchema(document);
  } catch (error) {
    throw SchemaError.is(error) ? new SchemaError(error.code, `The document "${uri}": ${error.message}`, { cause: error }) : error;
  }
}

/** Schemas without an `$id` need some base for their relative references. */
const defaultUri = "schema://toolrack/";

function joinUri(reference: string, base: string): string {
  if (reference.startsWith("#")) return withoutFragment(base) + reference;
  try {
    return new URL(reference, base).href;
  } catch {
    return reference;
  }
}

function withoutFragment(uri: string): string {
  const hash = uri.indexOf("#");
  return hash < 0 ? uri : uri.slice(0, hash);
}

function decodeFragment(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
