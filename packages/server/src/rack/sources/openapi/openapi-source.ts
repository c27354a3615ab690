import { type AnyTool, type Logger, type ToolDefinition, ToolError, type ToolSource } from "@toolrack/core";
import { createSafeFetch, type IsOwnAddress, type SafeFetch } from "@toolrack/fetch";
import {
  createDescribeOperation,
  loadOpenApi,
  openApiPrint,
  openApiRequestForm,
  type ReadOpenApiOptions,
  type ServedTool,
  wholeDescriptionOf,
} from "@toolrack/openapi";
import type { OpenApiSourceConfig } from "../../../config/openapi-source.ts";
import { noteTool } from "../../trust/noted-tools.ts";
import { readDocument } from "./read-document.ts";
import { toReadOptions } from "./read-options.ts";

export interface OpenApiSourceOptions {
  /** Its id in the configuration. */
  readonly id: string;
  readonly config: OpenApiSourceConfig;
  /** Which parameters hold paths of this machine. */
  readonly paths?: ReadOpenApiOptions["paths"];
  /** Relative paths start here. */
  readonly folder: string;
  readonly log: Logger;
  readonly isOwnAddress?: IsOwnAddress | undefined;
  /** The text of a document that is kept in the store. */
  stored(id: string): Promise<string | undefined>;
  /** The tool that a caller may use under a name: no other one is described. */
  readonly served: ServedTool;
  /** Why its files may not be read; asked before every read, since links may change. */
  fault(): string | undefined;
  /** What the last read found. */
  onRead(read: OpenApiRead): Promise<void>;
}

/** What a read of a document found. */
export interface OpenApiRead {
  readonly tools: number;
  /** One line for each operation that is no tool, and for each warning. */
  readonly problems: readonly string[];
}

/** The tools of one document. A document that did not change gives the same tools, and one that did the same ones as far as they are equal. */
export function openApiTools(options: OpenApiSourceOptions): Pick<ToolSource, "list"> & { close(): Promise<void> } {
  const { id, config, folder, onRead } = options;
  const place = `sources.${id}.openapi`;
  const { timeoutMs, maxBytes, allowHosts = [] } = config;
  const guarded = {
    allowHosts,
    allowHostsKey: `${place}.allowHosts`,
    ...(options.isOwnAddress && { isOwnAddress: options.isOwnAddress }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(maxBytes !== undefined && { maxBytes }),
  };
  const fetch: SafeFetch = createSafeFetch(guarded);
  let known:
    | { readonly hash: string; readonly operations: readonly ToolDefinition[]; readonly tools: readonly ToolDefinition[] }
    | undefined;

  return {
    async list({ signal }): Promise<readonly AnyTool[]> {
      const fault = options.fault();
      if (fault !== undefined) throw new ToolError("CONFIG_INVALID", fault);
      const { text, overlays, documents, hash } = await readDocument(config, { folder, fetch, signal, place, stored: options.stored });
      if (known?.hash === hash) return known.tools;
      const reading = { ...toReadOptions(id, config), overlays, documents, fetch, ...(options.paths && { paths: options.paths }) };
      const { tools, refused, warnings } = await loadOpenApi(text, { ...reading, signal });
      for (const tool of tools) {
        const wholeDescription = wholeDescriptionOf(tool);
        noteTool(tool, { request: { ...openApiRequestForm(tool) }, ...(wholeDescription !== undefined && { wholeDescription }) });
      }
      const same = withSameTools(known?.operations ?? [], tools);
      known = { hash, operations: same, tools: withDescribe(same, known?.tools ?? [], reading.prefix) };
      await onRead({
        tools: tools.length,
        problems: [...refused.map(({ operation, reason }) => `${operation}: ${reason}`), ...warnings],
      });
      return known.tools;
    },
    close: () => fetch.close(),
  };

  /** The tool that gives whole descriptions stays the same object while it exists: it looks at what was read last. */
  function withDescribe(
    operations: readonly ToolDefinition[],
    before: readonly ToolDefinition[],
    prefix: string,
  ): readonly ToolDefinition[] {
    const describe = createDescribeOperation(operations, {
      prefix,
      current: () => known?.operations ?? operations,
      served: options.served,
    });
    if (describe === undefined) return operations;
    return [...operations, before.find(({ name }) => name === describe.name) ?? describe];
  }
}

/** The new tools, with those of before wherever nothing about the tool and its requests has changed. */
function withSameTools(before: readonly ToolDefinition[], now: readonly ToolDefinition[]): readonly ToolDefinition[] {
  const old = new Map(before.map((tool) => [openApiPrint(tool), tool]));
  return now.map((tool) => old.get(openApiPrint(tool)) ?? tool);
}
