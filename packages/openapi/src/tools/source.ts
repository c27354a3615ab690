import { type AnyTool, type ToolDefinition, ToolError, type ToolSource } from "@toolrack/core";
import { createHash } from "node:crypto";
import type { ReadOpenApiOptions } from "../options.ts";
import { createDescribeOperation, type ServedTool } from "./describe-tool.ts";
import { openApiPrint } from "./described.ts";
import { loadOpenApi, type OpenApiTools } from "./read-openapi.ts";

export interface OpenApiSourceOptions extends ReadOpenApiOptions {
  /** Shown as the origin of each tool, after "openapi:". */
  readonly name: string;
  /** The document, as text or object, or what loads it: called for each list. */
  readonly document: unknown | ((options: { readonly signal: AbortSignal }) => unknown);
  /**
   * The tool that a caller may use under a name, by which `describe_operation` keeps to your policy: `(name, caller) => registry.view(caller).offered(name)`.
   * @default every operation is described to every caller that may use `describe_operation`
   */
  readonly served?: ServedTool;
}

export interface OpenApiSource extends ToolSource {
  /** What the document gave when it was listed last. */
  report(): OpenApiTools | undefined;
  /** Reads the document again, and reports a change. */
  refresh(): void;
}

/** The operations of a document as a source of tools. A document that is the same as before keeps its tools. */
export function openApiSource(options: OpenApiSourceOptions): OpenApiSource {
  const { name, document, served, ...reading } = options;
  if (typeof name !== "string" || name === "") throw new ToolError("CONFIG_INVALID", 'openApiSource must have a name, such as "github".');
  if (served !== undefined && typeof served !== "function")
    throw new ToolError("CONFIG_INVALID", `openApiSource "${name}": served must be a function that answers the tool of a caller.`);
  const watchers = new Set<() => void>();
  let known: { readonly hash: string | undefined; readonly read: OpenApiTools; readonly listed: readonly AnyTool[] } | undefined;
  return {
    id: `openapi:${name}`,
    identity: [options.url ?? "", options.baseUrl ?? ""].join(" ").trim() || `openapi:${name}`,
    async list({ signal }) {
      const loaded: unknown = typeof document === "function" ? await (document as (given: object) => unknown)({ signal }) : document;
      const hash = hashOf(loaded);
      if (known === undefined || hash === undefined || known.hash !== hash) {
        const read = keepUnchanged(await loadOpenApi(loaded, { ...reading, signal }), known?.read);
        known = { hash, read, listed: withDescribe(read, known?.listed) };
      }
      return known.listed;
    },
    watch(onChange) {
      const watcher = (): void => onChange();
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    report: () => known?.read,
    refresh() {
      for (const watcher of watchers) watcher();
    },
    close() {
      watchers.clear();
    },
  };

  /** The tool that describes the others stays the same object while it exists: it looks at what was read last. */
  function withDescribe(read: OpenApiTools, before: readonly AnyTool[] | undefined): readonly AnyTool[] {
    const describe = createDescribeOperation(read.tools, {
      prefix: reading.prefix,
      current: () => (known?.read ?? read).tools,
      served,
    });
    if (describe === undefined) return read.tools;
    return [...read.tools, before?.find((tool) => (tool as ToolDefinition).name === describe.name) ?? describe];
  }
}

/** Undefined for an object that cannot be written as JSON: it is read anew each time. */
function hashOf(document: unknown): string | undefined {
  try {
    const text = typeof document === "string" ? document : JSON.stringify(document);
    return createHash("sha256").update(text).digest("hex");
  } catch {
    return undefined;
  }
}

/** A tool that did not change stays the same object. */
function keepUnchanged(read: OpenApiTools, before: OpenApiTools | undefined): OpenApiTools {
  if (before === undefined) return read;
  const prints = new Map(before.tools.map((tool) => [openApiPrint(tool), tool]));
  return { ...read, tools: read.tools.map((tool) => prints.get(openApiPrint(tool)) ?? tool) };
}
