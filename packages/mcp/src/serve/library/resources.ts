import { ToolError } from "@toolrack/core";
import type { JsonObject } from "../../wire/protocol.ts";
import { readUriTemplate, type UriTemplate } from "../../wire/uri-template.ts";
import type { ServeContext } from "./prompts.ts";

/** A document under one URI. */
export interface McpResource {
  readonly uri: string;
  readonly uriTemplate?: undefined;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  /** Several: a folder, say, with the contents of its files. */
  read(context: ServeContext): ResourceContents | Promise<ResourceContents>;
}

/** Documents under URIs of one form: "notes://{id}". */
export interface McpResourceTemplate {
  readonly uriTemplate: string;
  readonly uri?: undefined;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  /** Undefined: there is no such document. */
  read(
    values: Readonly<Record<string, string>>,
    context: ServeContext,
  ): ResourceContents | undefined | Promise<ResourceContents | undefined>;
  /** Values of a gap that begin with what was typed. */
  complete?(gap: string, typed: string, context: ServeContext): readonly string[] | Promise<readonly string[]>;
}

/** Text, or bytes as base64. */
export interface ResourceContent {
  readonly text?: string;
  readonly blob?: string;
  readonly mimeType?: string;
  readonly meta?: JsonObject;
}

export type ResourceContents = ResourceContent | readonly ResourceContent[];

export type AnyResource = McpResource | McpResourceTemplate;

export function isTemplate(resource: AnyResource): resource is McpResourceTemplate {
  return resource.uriTemplate !== undefined;
}

export function toResourceFields(resource: AnyResource): JsonObject {
  const { name, title, description, mimeType } = resource;
  return {
    ...(isTemplate(resource) ? { uriTemplate: resource.uriTemplate } : { uri: resource.uri }),
    name,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(mimeType !== undefined && { mimeType }),
  };
}

export function toContents(uri: string, given: ResourceContents, fallback: string | undefined): readonly JsonObject[] {
  return (isList(given) ? given : [given]).map((one) => toContent(uri, one, fallback));
}

function isList(given: ResourceContents): given is readonly ResourceContent[] {
  return Array.isArray(given);
}

function toContent(uri: string, { text, blob, mimeType, meta }: ResourceContent, fallback: string | undefined): JsonObject {
  const type = mimeType ?? fallback;
  return {
    uri,
    ...(type !== undefined && { mimeType: type }),
    ...(blob === undefined ? { text: text ?? "" } : { blob }),
    ...(meta !== undefined && { _meta: meta }),
  };
}

/** The gaps of a template, read once. Throws CONFIG_INVALID for a template of another form. */
export function templateOf({ uriTemplate }: McpResourceTemplate): UriTemplate {
  let template = templates.get(uriTemplate);
  if (template === undefined) {
    template = readUriTemplate(uriTemplate);
    if (template === undefined) {
      throw new ToolError(
        "CONFIG_INVALID",
        `The resource template "${uriTemplate}" must be a URI with gaps such as {id}, apart from each other.`,
      );
    }
    if (templates.size >= 1000) templates.clear();
    templates.set(uriTemplate, template);
  }
  return template;
}

const templates = new Map<string, UriTemplate>();
