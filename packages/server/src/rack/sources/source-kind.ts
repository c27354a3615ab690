import type { Logger, ToolSource } from "@toolrack/core";
import type { JsonSchema } from "@toolrack/json-schema";

/** A type of source that a module adds, used by `sources.<id>.type`. */
export interface SourceKind {
  /** Lower-case letters, digits and single hyphens: "faq". */
  readonly type: string;
  /** A JSON Schema for `sources.<id>.options`. @default an object without properties */
  readonly options?: JsonSchema;
  /**
   * Creates the source; opens nothing before its first `list`. The server gives it the id "<type>:<id>" in the registry. Contract:
   * `sourceContract` of @toolrack/core/testing.
   */
  create(options: Readonly<Record<string, unknown>>, context: SourceKindContext): ToolSource;
}

/** What a source gets from the server. */
export interface SourceKindContext {
  /** Its id in the configuration. */
  readonly id: string;
  /** The folder of the configuration file: relative paths start here. */
  readonly folder: string;
  readonly log: Logger;
  /** Reads a secret; undefined where it is not set. Every read is recorded. */
  secret(name: string): Promise<string | undefined>;
}

/** APIs, given by an OpenAPI document. */
export const openApiType = "openapi";

/** Handlers that run on workers. */
export const workersType = "workers";

/** MCP servers, given by a command or a url. */
export const mcpType = "mcp";
