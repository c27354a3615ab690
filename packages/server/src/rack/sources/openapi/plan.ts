import type { JsonSchema } from "@toolrack/json-schema";

/** What the tools of an OpenAPI document would be, before anything is imported. Plain JSON. */
export interface OpenApiPlan {
  readonly title: string;
  /** Of the API, as the document says. */
  readonly version: string;
  /** "OpenAPI 3.1.0", "Swagger 2.0" */
  readonly format: string;
  /** Where the requests of the tools go. */
  readonly servers: readonly string[];
  /** How many operations the document has, chosen or not. */
  readonly operations: number;
  readonly tools: readonly PlannedTool[];
  /** Of the chosen operations, by name. */
  readonly tags: readonly { readonly name: string; readonly operations: number }[];
  readonly refused: readonly { readonly operation: string; readonly reason: string }[];
  readonly warnings: readonly string[];
  /** What the definitions of all tools cost in a request to a vendor, estimated. */
  readonly tokens: readonly { readonly vendor: string; readonly tokens: number }[];
  /** The credentials that calls need. */
  readonly secrets: readonly PlannedSecret[];
  /** Whether models would find the tools by search instead of by list. */
  readonly searched: boolean;
}

export interface PlannedTool {
  readonly name: string;
  /** "GET /pets" */
  readonly operation: string;
  readonly operationId?: string;
  readonly tags: readonly string[];
  readonly description: string;
  readonly readOnly: boolean;
  readonly destructive: boolean;
  readonly deprecated: boolean;
  /** What its definition costs in a request, estimated. */
  readonly tokens: number;
}

export interface PlannedSecret {
  /** The name in the store. */
  readonly secret: string;
  /** How many of the tools use it. */
  readonly tools: number;
  readonly isSet: boolean;
}

/** One operation of a document, and the request that it would send. */
export interface OpenApiPreview {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  /** For the given input; without credentials. */
  readonly request?: PreviewedRequest;
}

export interface PreviewedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** As text; bytes are counted. */
  readonly body?: string;
}
