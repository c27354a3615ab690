import path from "node:path";
import { ToolError } from "@toolrack/core";
import { checkFields, type FieldKind, type FieldsOf, flag, isObject, method, positive, text } from "@toolrack/core/internal";
import type { SafeFetch } from "@toolrack/fetch";

/**
 * Chooses operations. Given fields must all match, one entry of a list is enough. As a text: "tag:pets", "GET", "GET /pets/*", "/pets/**" or
 * an operationId. `*` stands for anything but "/", `**` for anything.
 */
export type OperationFilter =
  | string
  | {
      readonly tag?: string | readonly string[];
      /** A pattern of paths. */
      readonly path?: string | readonly string[];
      readonly method?: string | readonly string[];
      /** A pattern of operationIds. */
      readonly operationId?: string | readonly string[];
    };

/** Chooses parameters: by name, or as "query:version"; members of a spread body are in "body". */
export type ParameterFilter =
  | string
  | { readonly name: string; readonly in?: string; readonly operation?: OperationFilter | readonly OperationFilter[] };

export interface ReadOpenApiOptions extends OpenApiCallOptions {
  /** Where the document came from: the base of relative servers and references. */
  readonly url?: string;
  /** Only these operations. @default all */
  readonly include?: OperationFilter | readonly OperationFilter[];
  /** Not these. */
  readonly exclude?: OperationFilter | readonly OperationFilter[];
  /** operationId, or "GET /pets", → the name of the tool. */
  readonly rename?: Readonly<Record<string, string>>;
  /** Begins the name of each tool: "github" → github_list_issues. */
  readonly prefix?: string;
  /** A policy group for all tools, or group → which operations are in it. */
  readonly group?: string | Readonly<Record<string, OperationFilter | readonly OperationFilter[]>>;
  /** Parameters that are neither shown nor sent. */
  readonly hide?: readonly ParameterFilter[];
  /** Parameters with a fixed value, which no model sees: { version: "2" } or [{ name, value }]. */
  readonly pin?: Readonly<Record<string, unknown>> | readonly (Exclude<ParameterFilter, string> & { readonly value: unknown })[];
  /** OpenAPI Overlays 1.0 as texts or objects, applied in this order. */
  readonly overlays?: readonly unknown[];
  /** Security scheme → name of the secret. @default the scheme's own name */
  readonly secrets?: Readonly<Record<string, string>>;
  /** Media types of bodies, best first, before our own order. */
  readonly contentType?: string | readonly string[];
  /** Loaded files for references to other documents, by the name or URL in the reference. */
  readonly documents?: Readonly<Record<string, unknown>>;
  /** The longest description of a tool or a parameter, in characters. @default 1_000 */
  readonly descriptionLength?: number;
  /**
   * How many values the schemas of all tools may have together; operations behind that are refused. Each tool has its own copy of the components that it
   * reaches, so that a short document could ask for any amount of memory. @default 20_000_000: about a gigabyte
   */
  readonly maxSchemaValues?: number;
  /** The folder of this machine, as an absolute path, that paths in these parameters (`path`) may not leave. @default the workspace guard leaves the tools alone */
  readonly paths?: { readonly folder: string; readonly parameters?: readonly string[] };
  /** Output schemas of tools, checked by the registry: by default as a warning. @default true */
  readonly outputSchemas?: boolean;
}

/** How tools send their requests. */
export interface OpenApiCallOptions {
  /** Replaces the server of the document wholly. */
  readonly baseUrl?: string;
  /** Sends the requests. @default one of @toolrack/fetch, with `allowHosts` */
  readonly fetch?: SafeFetch;
  /** Hosts that may be reached beside the server's origin, and that may have a private address. The server's own private host has to be named, too. */
  readonly allowHosts?: readonly string[];
  /** For one request. @default 30_000 */
  readonly timeoutMs?: number;
  /** The longest answer. @default 10_485_760 */
  readonly maxBytes?: number;
  /** How often a request is sent again that failed for a time. Only requests that are idempotent are. @default 0: the registry's limits decide */
  readonly retries?: number;
  /** Adds the parameter `max_pages` to tools whose answer has pages: that many are read in one call. @default not added */
  readonly maxPages?: number;
  /** Adds the parameter `result_fields` to tools with JSON answers: names or JSONPaths of what the model needs. @default false */
  readonly resultFields?: boolean;
}

/** Refuses what has an unknown or wrong option: ignored, it would be a filter or a limit without effect. */
export function checkReadOptions(options: ReadOpenApiOptions, subject: string): void {
  checkFields(options, fields, { subject, word: "option" });
  const pages = options.maxPages;
  if (pages !== undefined && pages > 1_000)
    throw new ToolError("CONFIG_INVALID", `${subject}: maxPages must be at most 1000, not ${pages}.`);
}

const object: FieldKind = { is: "an object", test: isObject };
const list: FieldKind = { is: "a list", test: Array.isArray };
const isFilter = (value: unknown): boolean => typeof value === "string" || isObject(value);
const filters: FieldKind = {
  is: 'an operation filter such as "tag:pets" or { path: "/pets/**" }, or a list of them',
  test: (value) => isFilter(value) || (Array.isArray(value) && value.every(isFilter)),
};
const textOrList: FieldKind = {
  is: "a text or a list of texts",
  test: (value) => typeof value === "string" || (Array.isArray(value) && value.every((item) => typeof item === "string")),
};
const webUrl: FieldKind = {
  is: "an absolute URL of http or https",
  test: (value) => typeof value === "string" && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol),
};
const count: FieldKind = { is: "a whole number from 0", test: (value) => Number.isInteger(value) && (value as number) >= 0 };

const fields: FieldsOf<ReadOpenApiOptions> = {
  url: text,
  baseUrl: webUrl,
  include: filters,
  exclude: filters,
  rename: object,
  prefix: { is: "1 to 40 of A-Z a-z 0-9 _ -", test: (value) => typeof value === "string" && /^[A-Za-z0-9_-]{1,40}$/.test(value) },
  group: { is: "a name, or an object of operation filters", test: isFilter },
  hide: list,
  pin: { is: "an object of values, or a list of { name, value }", test: (value) => isObject(value) || Array.isArray(value) },
  overlays: list,
  secrets: object,
  contentType: textOrList,
  documents: object,
  descriptionLength: positive,
  maxSchemaValues: positive,
  paths: {
    is: "{ folder, parameters }, the folder being an absolute path",
    test: (value) => isObject(value) && typeof value["folder"] === "string" && path.isAbsolute(value["folder"]),
  },
  outputSchemas: flag,
  fetch: method,
  allowHosts: textOrList,
  timeoutMs: positive,
  maxBytes: positive,
  retries: count,
  maxPages: positive,
  resultFields: flag,
};
