import { defineTool, type ToolDefinition, ToolError } from "@toolrack/core";
import { type PathPlace, withPathPlace } from "@toolrack/core/internal";
import { heavyTurn } from "@toolrack/core/node";
import { describeValue, isObject, type JsonObject } from "@toolrack/json-schema/internal";
import { own, ownObject } from "../document/json.ts";
import { type ParsedDocument, parseDocument, parseDocumentAside } from "../document/parse.ts";
import { createReferences } from "../document/references.ts";
import { readVersion } from "../document/version.ts";
import { OperationFault } from "../fault.ts";
import { createClient } from "../call/client.ts";
import { createHandler } from "../call/handler.ts";
import { checkReadOptions, type ReadOpenApiOptions } from "../options.ts";
import { applyOverlays } from "../overlay/overlay.ts";
import { listOperations, type RawOperation } from "../read/raw-operations.ts";
import type { ReadContext } from "../read/context.ts";
import { readOperation } from "../read/read-operation.ts";
import { createSchemaConverter } from "../schema/convert.ts";
import { addCallParameters } from "./call-parameters.ts";
import { chooseNames } from "./choose-names.ts";
import { type Filtered, readFilters } from "./filters.ts";
import { readGroups } from "./groups.ts";
import { createLinkHints, type ToolOperation } from "./link-hints.ts";
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
  const pieces = readInPieces(parseDocument(document), options);
  for (;;) {
    const { done, value } = pieces.next();
    if (done === true) return value;
  }
}

export interface LoadOpenApiOptions extends ReadOpenApiOptions {
  /** Gives the reading up. */
  readonly signal?: AbortSignal;
}

/**
 * As `readOpenApi`, for a process that serves others meanwhile: a long YAML text is parsed in a thread, and operations are read in pieces of a few
 * milliseconds.
 */
export async function loadOpenApi(document: unknown, options: LoadOpenApiOptions = {}): Promise<OpenApiTools> {
  const { signal, ...reading } = options;
  checkReadOptions(reading, "loadOpenApi");
  const pieces = readInPieces(await parseDocumentAside(document, signal), reading);
  for (let endsAt = 0; ;) {
    if (performance.now() >= endsAt) {
      await heavyTurn();
      signal?.throwIfAborted();
      endsAt = performance.now() + pieceMs;
    }
    const { done, value } = pieces.next();
    if (done === true) return value;
  }
}

const pieceMs = 10;

/** Reads a document operation by operation: after each one the caller may do something else. */
function* readInPieces({ root: given, warnings: told }: ParsedDocument, options: ReadOpenApiOptions): Generator<void, OpenApiTools> {
  const warnings = createWarnings();
  told.forEach(warnings.add);
  const { root, warnings: overlaid } = applyOverlays(given, options.overlays ?? []);
  overlaid.forEach(warnings.add);
  const version = readVersion(root);
  const paths = own(root, "paths");
  if (paths === undefined && version !== "3.1" && version !== "3.2") warnings.add("The document has no paths.");
  if (paths !== undefined && !isObject(paths))
    throw new ToolError("DEFINITION_INVALID", `"paths" must be an object, not ${describeValue(paths)}. Mend the document.`);
  const references = createReferences(root, options);
  const { operations, refused: unread } = listOperations(root, version, references);
  const names = chooseNames(operations, options);
  names.warnings.forEach(warnings.add);
  const isIncluded = createChoice(options);
  const refused = unread.filter(isIncluded).map(({ operation, reason }) => ({ operation, reason }));
  const groupsOf = readGroups(options.group);
  const treatments = readTreatments(options);
  const client = createClient(options);
  let current = "";
  const warn = (message: string): void => warnings.add(current === "" ? message : `${current}: ${message}`);
  const shared = { version, references, descriptionLength: options.descriptionLength ?? 1_000, warn };
  const context: ReadContext = {
    root,
    version,
    references,
    input: createSchemaConverter({ ...shared, direction: "input" }),
    output: options.outputSchemas === false ? undefined : createSchemaConverter({ ...shared, direction: "output" }),
    url: options.url,
    hasBaseUrl: options.baseUrl !== undefined,
    secrets: options.secrets ?? {},
    preferred: typeof options.contentType === "string" ? [options.contentType] : (options.contentType ?? []),
    treat: treatments.treat,
    isTreated: !treatments.isEmpty,
    warn,
    warnAll: warnings.add,
  };
  const read: ToolOperation[] = [];
  const mostValues = options.maxSchemaValues ?? 20_000_000;
  let values = 0;
  for (const [index, raw] of operations.entries()) {
    if (!isIncluded(raw)) continue;
    orRefuse(raw, () => {
      const one = readOperation(raw, context);
      if (values + one.values > mostValues)
        throw new OperationFault(
          `It does not fit: the schemas of all tools may have ${mostValues.toLocaleString("en")} values together.`,
          "Include fewer operations.",
        );
      values += one.values;
      read.push({ raw, ...one, name: names.names[index]! });
    });
    yield;
  }
  const hintOf = createLinkHints(read);
  const tools: ToolDefinition[] = [];
  for (const one of read) {
    orRefuse(one.raw, () => tools.push(toTool(one)));
    yield;
  }
  current = "";
  treatments.unused().forEach(warn);
  return { tools, refused, warnings: warnings.list(), document: factsOf(root, operations.length + unread.length) };

  function orRefuse(raw: RawOperation, act: () => void): void {
    current = raw.operation;
    try {
      act();
    } catch (error) {
      const isTooDeep = error instanceof RangeError;
      if (!isTooDeep && !(error instanceof OperationFault) && !ToolError.is(error)) throw error;
      refused.push({
        operation: raw.operation,
        reason: isTooDeep ? new OperationFault("It is nested too deeply, or too large.").message : error.message,
      });
    }
  }

  function toTool(one: ToolOperation): ToolDefinition {
    const { raw, plan, outputSchema, name } = one;
    const { inputSchema, parameters } = addCallParameters(one, options);
    const hint = hintOf(one, shared.descriptionLength / 2);
    const whole = `${one.description.description}${hint}`;
    const draft = {
      name,
      description: `${shorten(one.description.description, shared.descriptionLength - hint.length)}${hint}`,
      inputSchema,
      ...(one.summary !== undefined && { title: shorten(one.summary, 200) }),
      ...(outputSchema !== undefined && { outputSchema }),
      metadata: metadataOf(raw, plan, groupsOf(raw), root, options.baseUrl),
      handler: createHandler(plan, client, parameters, outputSchema !== undefined),
    };
    const tool = defineTool(withPathPlace(draft, placeOf(options))) as ToolDefinition;
    remember(tool, plan, { ...one.description, description: whole }, client);
    return tool;
  }
}

/** What an API calls a path is one of the API, unless the options say otherwise. */
function placeOf({ paths }: ReadOpenApiOptions): PathPlace {
  return { isElsewhere: true, ...(paths && { folders: [paths.folder], parameters: paths.parameters ?? ["path"] }) };
}

const mostWarnings = 10_000;

/** Each sentence once. A document can be wrong in more places than anyone reads, or than memory holds: then the last sentence says so. */
function createWarnings(): { add(message: string): void; list(): readonly string[] } {
  const told = new Set<string>();
  let isCut = false;
  return {
    add(message) {
      if (told.size < mostWarnings) told.add(message);
      else isCut ||= !told.has(message);
    },
    list: () => [...told, ...(isCut ? [`There are more warnings than these ${mostWarnings.toLocaleString("en")}.`] : [])],
  };
}

function factsOf(root: JsonObject, operations: number): OpenApiDocumentFacts {
  const info = ownObject(root, "info");
  const text = (value: unknown): string => (typeof value === "string" || typeof value === "number" ? String(value).slice(0, 200) : "");
  const openapi = own(root, "openapi");
  const format = openapi === undefined ? `Swagger ${text(own(root, "swagger"))}` : `OpenAPI ${text(openapi)}`;
  return { title: text(own(info, "title")), version: text(own(info, "version")), format, operations };
}

function createChoice({ include, exclude }: ReadOpenApiOptions): (operation: Filtered) => boolean {
  const isIn = include === undefined ? () => true : readFilters(include, "include");
  const isOut = exclude === undefined ? () => false : readFilters(exclude, "exclude");
  return (operation) => isIn(operation) && !isOut(operation);
}
