import { type AnyTool, type Logger, type ToolDefinition, ToolError, type ToolSource } from "@toolrack/core";
import { createSafeFetch, type IsOwnAddress, type SafeFetch } from "@toolrack/fetch";
import { describeOpenApiTool, readOpenApi } from "@toolrack/openapi";
import { canonicalJson } from "@toolrack/store";
import type { OpenApiSourceConfig } from "../../../config/openapi-source.ts";
import { waysOf, withChosenSecrets } from "./choose-secrets.ts";
import { readDocument } from "./read-document.ts";
import { toReadOptions } from "./read-options.ts";

export interface OpenApiSourceOptions {
  /** Its id in the configuration. */
  readonly id: string;
  readonly config: OpenApiSourceConfig;
  /** Relative paths start here. */
  readonly folder: string;
  readonly log: Logger;
  readonly isOwnAddress?: IsOwnAddress | undefined;
  /** The text of a document that is kept in the store. */
  stored(id: string): Promise<string | undefined>;
  /** Whether the store has a secret of this name. */
  isSet(secret: string): boolean;
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
  /** Secrets that decide how tools sign in: when one is set or removed, the tools may change. */
  readonly secrets: ReadonlySet<string>;
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
  const { secrets = {} } = config;
  let read: { readonly hash: string; readonly tools: readonly ToolDefinition[] } | undefined;
  let listed: readonly ToolDefinition[] = [];

  return {
    async list({ signal }): Promise<readonly AnyTool[]> {
      const fault = options.fault();
      if (fault !== undefined) throw new ToolError("CONFIG_INVALID", fault);
      const { text, overlays, hash } = await readDocument(config, { folder, fetch, signal, place, stored: options.stored });
      if (read?.hash !== hash) {
        const { tools, refused, warnings } = readOpenApi(text, { ...toReadOptions(id, config), overlays, fetch });
        read = { hash, tools };
        await onRead({
          tools: tools.length,
          problems: [...refused.map(({ operation, reason }) => `${operation}: ${reason}`), ...warnings],
          secrets: new Set(tools.flatMap((tool) => (waysOf(tool, secrets).length > 1 ? waysOf(tool, secrets).flat() : []))),
        });
      }
      const now = read.tools.map((tool) => withChosenSecrets(tool, secrets, options.isSet));
      return (listed = withSameTools(listed, now));
    },
    close: () => fetch.close(),
  };
}

/** The new tools, with those of before wherever nothing about the tool and its requests has changed. */
function withSameTools(before: readonly ToolDefinition[], now: readonly ToolDefinition[]): readonly ToolDefinition[] {
  const old = new Map(before.map((tool) => [textOf(tool), tool]));
  return now.map((tool) => old.get(textOf(tool)) ?? tool);
}

function textOf(tool: ToolDefinition): string {
  const { handler: _, ...definition } = tool;
  const whole = JSON.parse(JSON.stringify({ definition, plan: describeOpenApiTool(tool) })) as Parameters<typeof canonicalJson>[0];
  return canonicalJson(whole);
}
