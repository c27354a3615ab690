import type { ModelView } from "./model-view.ts";

/** A JSON object. */
export type JsonObject = { readonly [key: string]: unknown };

export type Visibility = "private" | "team" | "public";
export type Sensitivity = "low" | "pii" | "secret";
/** Who may read the record, beside its author and curators. */
export type Grant = "read" | "write";

/** When a record expires: at a time, some time after its last write, or after a number of reads; whatever comes first. */
export interface Ttl {
  /** ISO 8601. */
  readonly at?: string;
  readonly afterMs?: number;
  readonly reads?: number;
}

/** One revision of a stored record. */
export interface Breadcrumb {
  readonly owner: string;
  /** Unique for its owner. */
  readonly id: string;
  readonly schema_name: string;
  readonly title: string;
  readonly tags: readonly string[];
  readonly context: JsonObject;
  /** 1 for the first revision, one more with each write, never used twice; begins anew once retention took a removed record. */
  readonly version: number;
  /** The author's own text; the store does not read it. */
  readonly semantic_version?: string;
  /** What models see of the context. Absent: the view of its schema, else everything. */
  readonly model_view?: ModelView;
  /** "sha256:…" over the canonical JSON of what the author wrote. */
  readonly checksum: string;
  readonly created_at: string;
  readonly created_by: string;
  readonly updated_at: string;
  readonly updated_by: string;
  /** The name of the agent at its sign-in, where that is not `updated_by`. */
  readonly updated_agent?: string;
  /** The role in which it was last written. */
  readonly updated_as: "curator" | "emitter";
  /** For definitions: the last decision about one, which counts while the content is the one that was decided about. */
  readonly decision?: RecordedDecision;
  readonly visibility: Visibility;
  readonly sensitivity: Sensitivity;
  readonly ttl?: Ttl;
  /** Agent → what it may do beyond its role. */
  readonly grants?: Readonly<Record<string, Grant>>;
}

/**
 * What a curator decided about a definition. The store writes it beside the record's content, where no author can, and it counts for
 * exactly the content whose hash it names.
 */
export interface RecordedDecision {
  readonly decision: "approved" | "rejected" | "deprecated" | "archived";
  /** Of the content that was decided about: `definitionHash`. */
  readonly hash: string;
  /** The curator. */
  readonly by: string;
  /** ISO 8601. */
  readonly at: string;
  readonly reason: string;
  /** For "deprecated". */
  readonly deprecated?: { readonly since: string; readonly successor?: string };
}

/** What an author writes; the store adds the rest. */
export interface BreadcrumbDraft {
  /** May be left out for tool definitions and configurations, whose name makes it, and is made up for other records. */
  readonly id?: string;
  readonly schema_name: string;
  readonly title?: string;
  readonly tags?: readonly string[];
  readonly context: JsonObject;
  /** Absent: create. Present: replace exactly this version. */
  readonly version?: number;
  readonly semantic_version?: string;
  readonly model_view?: ModelView;
  readonly visibility?: Visibility;
  readonly sensitivity?: Sensitivity;
  readonly ttl?: Ttl;
  readonly grants?: Readonly<Record<string, Grant>>;
}

/** The part of a record that its author wrote, every default filled in. */
export type Content = Omit<BreadcrumbDraft, "id" | "version"> & {
  readonly title: string;
  readonly tags: readonly string[];
  readonly visibility: Visibility;
  readonly sensitivity: Sensitivity;
};

export function contentOf(record: Breadcrumb): Content {
  const { schema_name, title, tags, context, semantic_version, model_view, visibility, sensitivity, ttl, grants } = record;
  return {
    schema_name,
    title,
    tags,
    context,
    visibility,
    sensitivity,
    ...(semantic_version !== undefined && { semantic_version }),
    ...(model_view !== undefined && { model_view }),
    ...(ttl !== undefined && { ttl }),
    ...(grants !== undefined && { grants }),
  };
}
