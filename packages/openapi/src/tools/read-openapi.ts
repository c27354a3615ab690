import { defineTool, type ToolDefinition, ToolError } from "@toolrack/core";
import type { JsonObject } from "@toolrack/json-schema/internal";
import { own, ownObject } from "../document/json.ts";
import { parseDocument } from "../document/parse.ts";
import { createReferences } from "../document/references.ts";
import { readVersion } from "../document/version.ts";
import { OperationFault } from "../fault.ts";
import { createClient } from "../call/client.ts";
import { createHandler } from "../call/handler.ts";
import type { ReadOperation } from "../operation.ts";
import { checkReadOptions, type ReadOpenApiOptions } from "../options.ts";
import { applyOverlays } from "../overlay/overlay.ts";
import { listOperations, type RawOperation } from "../read/raw-operations.ts";
import type { ReadContext } from "../read/context.ts";
import { readOperation } from "../read/read-operation.ts";
import { createSchemaConverter } from "../schema/convert.ts";
import { addCallParameters } from "./call-parameters.ts";
import { chooseNames } from "./choose-names.ts";
import { readFilters } from "./filters.ts";
import { readGroups } from "./groups.ts";
import { metadataOf } from "./metadata.ts";
import { remember } from "./described.ts";
import { readTreatments } from "./treatments.ts";
import { shorten } from "../schema/repair.ts";

/** What a document gives. */
export interface OpenApiTools {
  readonly tools: readonly ToolDefinition[];
  /** Operations that cannot be tools, as "GET /pets", each with the fact and the next step. */
  readonly refused: readonly { readonly operation: string; readonly reason: string }[];
  readonly warnings: readonly string[];
  readonly document: OpenApiDocumentFacts;
}

export interface OpenApiDocumentFacts {
  readonly title: string;
  readonly version: string;
  /** "OpenAPI 3.1.0", "Swagger 2.0" */
  readonly format: string;
  /** All operations, also those that are not included. */
  readonly operations: number;
}

/**
 * Reads an OpenAPI document, as text or as an object that stays as it is: each operation becomes a tool or is refused by name. Nothing is
 * fetched. Throws one ToolError for what is no OpenAPI document.
 */
export function readOpenApi(document: unknown, options: ReadOpenApiOptions = {}): OpenApiTools {
  checkReadOptions(options, "readOpenApi");
  const { root: given, warnings: told } = parseDocument(document);
  const warnings = new Set(told);
  const { root, warnings: overlaid } = applyOverlays(given, options.overlays ?? []);
  for (const warning of overlaid) warnings.add(warning);
  const version = readVersion(root);
  if (own(root, "paths") === undefined && version !== "3.1" && version !== "3.2") warnings.add("The document has no paths.");
  const references = createReferences(root, options);
  const { operations, refused: unread } = listOperations(root, version, references);
  const refused = [...unread];
  const names = chooseNames(operations, options);
  names.warnings.forEach((warning) => warnings.add(warning));
  const isIncluded = createChoice(options);
  const groupsOf = readGroups(options.group);
  const treatments = readTreatments(options);
  const client = createClient(options);
  let current = "";
  const warn = (message: string): void => void warnings.add(current === "" ? message : `${current}: ${message}`);
  const shared = { version, references, descriptionLength: options.descriptionLength ?? 1_000, warn };
  const context: ReadContext = {
    root,
    version,
    references,
    input: createSchemaConverter({ ...shared, direction: "input" }),
    output: options.outputSchemas === false ? undefined : createSchemaConverter({ ...shared, direction: "output" }),
    url: options.url,
    secrets: options.secrets ?? {},
    preferred: typeof options.contentType === "string" ? [options.contentType] : (options.contentType ?? []),
    treat: treatments.treat,
    isTreated: !treatments.isEmpty,
    warn,
    warnAll: (message) => void warnings.add(message),
  };
  const tools: ToolDefinition[] = [];
  for (const [index, raw] of operations.entries()) {
    if (!isIncluded(raw)) continue;
    current = raw.operation;
    try {
      tools.push(toTool(raw, readOperation(raw, context), names.names[index]!));
    } catch (error) {
      const isTooDeep = error instanceof RangeError;
      if (!isTooDeep && !(error instanceof OperationFault) && !ToolError.is(error)) throw error;
      refused.push({ operation: raw.operation, reason: isTooDeep ? "It is nested too deeply, or too large." : error.message });
    }
  }
  current = "";
  treatments.unused().forEach(warn);
  return { tools, refused, warnings: [...warnings], document: factsOf(root, operations.length + unread.length) };

  function toTool(raw: RawOperation, read: ReadOperation, name: string): ToolDefinition {
    const { plan, outputSchema, description } = read;
    const { inputSchema, parameters } = addCallParameters(read, options);
    const tool = defineTool({
      name,
      description: shorten(description.description, shared.descriptionLength),
      inputSchema,
      ...(read.summary !== undefined && { title: shorten(read.summary, 200) }),
      ...(outputSchema !== undefined && { outputSchema }),
      metadata: metadataOf(raw, plan, groupsOf(raw), root, options.baseUrl),
      handler: createHandler(plan, client, parameters, outputSchema !== undefined),
    }) as ToolDefinition;
    remember(tool, plan, description, client);
    return tool;
  }
}

function factsOf(root: JsonObject, operations: number): OpenApiDocumentFacts {
  const info = ownObject(root, "info");
  const text = (value: unknown): string => (typeof value === "string" || typeof value === "number" ? String(value).slice(0, 200) : "");
  const openapi = own(root, "openapi");
  const format = openapi === undefined ? `Swagger ${text(own(root, "swagger"))}` : `OpenAPI ${text(openapi)}`;
  return { title: text(own(info, "title")), version: text(own(info, "version")), format, operations };
}

function createChoice({ include, exclude }: ReadOpenApiOptions): (raw: RawOperation) => boolean {
  const isIn = include === undefined ? () => true : readFilters(include, "include");
  const isOut = exclude === undefined ? () => false : readFilters(exclude, "exclude");
  return (raw) => isIn(raw) && !isOut(raw);
}
