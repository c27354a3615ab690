import { type CallContext, type ToolDefinition, ToolError } from "@toolrack/core";
import type { SafeFetchOptions } from "@toolrack/fetch";
import { type BreadcrumbClient, breadcrumbsIn, type OpenBreadcrumbs } from "../operations/breadcrumbs.ts";
import { createHttpEmbed, type EmbeddingOptions } from "../operations/embed.ts";
import { createHttp, type HttpOperations } from "../operations/http.ts";
import { createFolderNotes } from "../operations/notes.ts";
import { createMemoryGet } from "./memory-get.ts";
import { createMemorySearch } from "./memory-search.ts";
import type { MemoryOperations } from "./operations.ts";

export interface MemoryOptions {
  /** A folder of markdown notes. @default no notes */
  readonly folder?: string;
  /** Absolute paths of files and folders that are not notes. @default none */
  readonly hidden?: readonly string[];
  /** The folder that `folder` must stay in, also when something else takes its place. @default `folder` itself */
  readonly within?: string;
  /** The records of a call, seen with its caller's eyes. @default `context.services.breadcrumbs`, where there is one */
  readonly breadcrumbs?: OpenBreadcrumbs;
  /** Finds what means the same in other words. Notes are sent to this service. @default words alone decide */
  readonly embeddings?: EmbeddingOptions;
  /** Limits and hosts of outgoing requests. */
  readonly fetch?: SafeFetchOptions;
  /** Every way out, one by one replaceable. */
  readonly operations?: Partial<MemoryOperations> & { readonly http?: HttpOperations };
}

/** Finding and reading what was written down before. */
export function createMemoryTools(options: MemoryOptions = {}): readonly ToolDefinition[] {
  const { folder, hidden, within, embeddings, operations: replaced = {} } = options;
  const http = replaced.http ?? createHttp(options.fetch);
  const hasNotes = folder !== undefined || replaced.notes !== undefined;
  const operations: MemoryOperations = {
    ...(folder !== undefined && {
      notes: createFolderNotes(folder, { ...(hidden && { hidden }), ...(within !== undefined && { within }) }),
    }),
    breadcrumbs: options.breadcrumbs ?? ((context) => recordsIn(context, hasNotes)),
    ...(embeddings !== undefined && { embed: createHttpEmbed(http, embeddings) }),
    ...replaced,
  };
  return [createMemorySearch(operations, embeddings?.secret === undefined ? [] : [embeddings.secret]), createMemoryGet(operations)];
}

function recordsIn(context: CallContext, hasNotes: boolean): BreadcrumbClient | undefined | Promise<BreadcrumbClient> {
  const services = context.services as { breadcrumbs?: unknown } | undefined;
  if (services?.breadcrumbs !== undefined) return breadcrumbsIn(context);
  if (hasNotes) return undefined;
  throw new ToolError(
    "NEEDS_CONFIGURATION",
    "There is nothing to remember from. Hand a folder of notes or a store of records to createMemoryTools.",
  );
}
