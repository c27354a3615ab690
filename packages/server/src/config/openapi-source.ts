import type { JsonSchema } from "@toolrack/json-schema";
import { knownForms, maskUrl } from "./checks/credentials.ts";

/** An API that is described by an OpenAPI or Swagger document: each operation is a tool. */
export interface OpenApiSourceConfig {
  /** Where the document is. */
  readonly url?: string;
  /** The document as a file of the project, JSON or YAML: a path, from the folder of the configuration. */
  readonly file?: string;
  /** The document as it is kept in the store, by its id: set by the server when a source is added with the text of its document. */
  readonly document?: string;
  /** The address of the API. @default the server that the document names */
  readonly baseUrl?: string;
  /** Only these operations: "tag:pets", "GET", "GET /pets/*", "/pets/**", or an operationId. @default all */
  readonly include?: readonly string[];
  /** Not these. */
  readonly exclude?: readonly string[];
  /** operationId, or "GET /pets", → the name of the tool, without the id of the source before it. */
  readonly rename?: Readonly<Record<string, string>>;
  /** A policy group for all tools, or group → the operations in it. */
  readonly group?: string | Readonly<Record<string, readonly string[]>>;
  /** Security scheme → the name of its secret in the store. @default the scheme's own name */
  readonly secrets?: Readonly<Record<string, string>>;
  /** OpenAPI Overlays 1.0, as files of the project, applied in this order. */
  readonly overlays?: readonly string[];
  /** Files of the project for references to other documents: the name or URL in the reference → the file. */
  readonly documents?: Readonly<Record<string, string>>;
  /** Media types of bodies, best first. */
  readonly contentType?: readonly string[];
  /** Hosts, or hosts with a port, that are allowed although their address is private. @default none */
  readonly allowHosts?: readonly string[];
  /** How often the document is read again. @default only on demand: `toolrack sources refresh` */
  readonly refreshMinutes?: number;
  /** Whether models find its tools by search, instead of having all of them listed. @default true from 101 tools on */
  readonly search?: boolean;
  /** For one request to the API. @default 30_000 */
  readonly timeoutMs?: number;
  /** The longest answer of the API. @default 10_485_760 */
  readonly maxBytes?: number;
  /** Adds the parameter `max_pages` to tools whose answer has pages: that many are read in one call. @default not added */
  readonly maxPages?: number;
  /** Adds the parameter `result_fields`, by which a model takes parts of a large JSON answer. @default false */
  readonly resultFields?: boolean;
  /** The longest description of a tool or a parameter, in characters. @default 1_000 */
  readonly descriptionLength?: number;
}

/** The files of the project that a source reads, each with its key below `openapi`. */
export function projectFilesOf({ file, overlays = [], documents = {} }: OpenApiSourceConfig): readonly ProjectFile[] {
  return [
    ...(file === undefined ? [] : [{ at: ["file"], name: file }]),
    ...overlays.map((name, index) => ({ at: ["overlays", String(index)], name })),
    ...Object.entries(documents).map(([reference, name]) => ({ at: ["documents", reference], name })),
  ];
}

export interface ProjectFile {
  readonly at: readonly string[];
  readonly name: string;
}

const text = { type: "string", minLength: 1 } as const;
const texts = { type: "array", items: text } as const;
const webUrl = { ...text, pattern: "^https?://" } as const;

export const openApiSourceSchema: JsonSchema = {
  type: "object",
  properties: {
    url: { ...webUrl, description: "Where the OpenAPI document is." },
    file: { ...text, description: "The document as a file of the project, from the folder of the configuration: .json, .yaml or .yml." },
    document: {
      type: "string",
      pattern: "^openapi-document-[0-9a-f]{64}$",
      description: "The id of a document that is kept in the store.",
    },
    baseUrl: { ...webUrl, description: "The address of the API. Default: the server that the document names." },
    include: { ...texts, description: 'Only these operations: "tag:pets", "GET", "GET /pets/*", "/pets/**", or an operationId.' },
    exclude: { ...texts, description: "Not these operations." },
    rename: { type: "object", additionalProperties: text, description: 'operationId, or "GET /pets", → the name of the tool.' },
    group: {
      type: ["string", "object"],
      minLength: 1,
      additionalProperties: texts,
      description: "A policy group for all tools, or group → the operations in it.",
    },
    secrets: {
      type: "object",
      additionalProperties: text,
      description: "Security scheme → the name of its secret. Default: the scheme's own name.",
    },
    overlays: { ...texts, description: "OpenAPI Overlays, as files of the project." },
    documents: {
      type: "object",
      additionalProperties: text,
      maxProperties: 100,
      description: "Files of the project for references to other documents: the name or URL in the reference → the file.",
    },
    contentType: { ...texts, description: "Media types of bodies, best first." },
    allowHosts: { ...texts, description: "Hosts that may be reached although their address is not public." },
    refreshMinutes: {
      type: "integer",
      minimum: 1,
      maximum: 10_080,
      description: "How often the document is read again. Default: on demand.",
    },
    search: { type: "boolean", description: "Whether models find its tools by search. Default: true from 101 tools on." },
    timeoutMs: { type: "integer", minimum: 1, maximum: 600_000 },
    maxBytes: { type: "integer", minimum: 1, maximum: 104_857_600 },
    maxPages: { type: "integer", minimum: 1, maximum: 1_000 },
    resultFields: { type: "boolean" },
    descriptionLength: { type: "integer", minimum: 100, maximum: 100_000 },
  },
  additionalProperties: false,
};

const secretForm = /^[A-Za-z0-9_.-]{1,100}$/;

/** A mistake in `sources.<id>.openapi`, and the key where it is. */
export interface OpenApiFault {
  readonly at: readonly string[];
  readonly fact: string;
}

/** Mistakes that the schema cannot explain well. */
export function findOpenApiFault(id: string, openapi: OpenApiSourceConfig): OpenApiFault | undefined {
  const place = `sources.${id}.openapi`;
  const { url, file, document, baseUrl, secrets = {} } = openapi;
  const given = Object.entries({ url, file, document }).flatMap(([key, value]) => (value === undefined ? [] : [key]));
  if (given.length === 0) return { at: [], fact: `${place} needs a url or a file: where the document is.` };
  if (given.length > 1) return { at: [given[1]!], fact: `${place} has a ${given.join(" and a ")}; keep one of them.` };
  for (const [key, address] of Object.entries({ url, baseUrl })) {
    if (address === undefined) continue;
    if (!URL.canParse(address)) return { at: [key], fact: `${place}.${key} is not a URL.` };
    const { username, password, hash } = new URL(address);
    if (username !== "" || password !== "" || maskUrl(address) !== address)
      return {
        at: [key],
        fact: `${place}.${key} holds a credential. Set it with \`toolrack secrets set <name>\`, and name it under ${place}.secrets.`,
      };
    if (key === "baseUrl" && hash !== "") return { at: [key], fact: `${place}.baseUrl has a part after #, which no request could have.` };
  }
  for (const [scheme, name] of Object.entries(secrets)) {
    // The value is not repeated: it may be the secret itself.
    if (!secretForm.test(name) || knownForms.test(name))
      return {
        at: ["secrets"],
        fact: `${place}.secrets.${scheme.slice(0, 80)} must be the name of a secret, 1 to 100 of A-Z a-z 0-9 _ . -, and not its value. Set the value with: toolrack secrets set <name>`,
      };
  }
  for (const { at, name } of projectFilesOf(openapi)) {
    if (/\.(?:json|ya?ml)$/i.test(name)) continue;
    const fact = `${[place, ...at].join(".").slice(0, 300)}: ${JSON.stringify(name.slice(0, 80))} is not a .json, .yaml or .yml file.`;
    return { at: at.slice(0, 1), fact };
  }
  return undefined;
}
