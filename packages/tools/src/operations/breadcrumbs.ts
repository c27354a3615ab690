import { type CallContext, ToolError, ToolInputError } from "@toolrack/core";

/** A stored record, as far as tools look at it. */
export interface StoredRecord {
  readonly id: string;
  readonly schema_name: string;
  readonly title: string;
  readonly tags: readonly string[];
  readonly context: Readonly<Record<string, unknown>>;
  readonly version: number;
  readonly updated_at: string;
}

/** A record as a search finds it. */
export type FoundRecord = Omit<StoredRecord, "context"> & { readonly context?: Readonly<Record<string, unknown>> };

/** A record as models see it: with its context, or with the reason why that cannot be shown. */
export type ShownRecord = FoundRecord & { readonly view_error?: string };

export interface RecordDraft {
  readonly id?: string;
  readonly schema_name: string;
  readonly title?: string;
  readonly tags?: readonly string[];
  readonly context: Readonly<Record<string, unknown>>;
  /** Absent: create. Present: replace exactly this version. */
  readonly version?: number;
}

export interface RecordQuery {
  readonly schema_name?: string;
  readonly allTags?: readonly string[];
  readonly text?: string;
  readonly limit?: number;
  readonly cursor?: string;
  readonly includeContext?: boolean;
}

export type RecordWrite =
  | { readonly ok: true; readonly record: StoredRecord }
  | { readonly ok: false; readonly code: string; readonly message: string; readonly currentVersion?: number };

/**
 * The records that a call may work with, seen with the eyes of its caller: what the caller may not read is not found, and what it may not
 * write is refused. The stores of `@toolrack/store` fit, each as `store.as(actor)`.
 */
export interface BreadcrumbClient {
  get(id: string): Promise<StoredRecord | undefined>;
  /** `undecided`: a new tool definition is a draft, also where the caller may approve it. */
  put(draft: RecordDraft, options?: { readonly undecided?: boolean }): Promise<RecordWrite>;
  search(query: RecordQuery): Promise<{ readonly records: readonly FoundRecord[]; readonly cursor?: string }>;
}

/** How tools come by the records of a call. @default `context.services.breadcrumbs` */
export type OpenBreadcrumbs = (context: CallContext) => BreadcrumbClient | Promise<BreadcrumbClient>;

export const breadcrumbsIn: OpenBreadcrumbs = ({ services }) => {
  const client = (services as { breadcrumbs?: BreadcrumbClient } | undefined)?.breadcrumbs;
  if (typeof client?.search === "function") return client;
  throw new ToolError("NEEDS_CONFIGURATION", "There is no store of records. Give the registry services: { breadcrumbs: store }.");
};

/** Turns errors of a store into results of the call: missing rights, invalid input, or a retryable failure. */
export async function withRecords<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    if (ToolError.is(error) || !(error instanceof Error)) throw error;
    const { status, retryable } = error as { status?: unknown; retryable?: unknown };
    if (status === 403) throw new ToolError("TOOL_NOT_ALLOWED", error.message, { cause: error });
    if (status === 400 || status === 409 || status === 413) throw new ToolInputError(error.message, { cause: error });
    throw new ToolError("TOOL_FAILED", error.message, { cause: error, retryable: retryable === true });
  }
}
