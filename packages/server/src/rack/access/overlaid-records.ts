import {
  type Breadcrumb,
  type BreadcrumbStore,
  type JsonObject,
  meetsSearch,
  type SearchQuery,
  seenToolTag,
  toSeenDraft,
  upstreamOf,
} from "@toolrack/store";
import type { ToolDefinition } from "@toolrack/core";
import { type Overlaid, overlaidOf } from "../trust/noted-overlays.ts";

/** The records of tools that have an overlay, as callers see these tools: under the name by which they call them, with the words they are shown. */
export interface OverlaidRecords {
  /** Whether there are any for this caller. */
  readonly isEmpty: boolean;
  all(): Promise<readonly Breadcrumb[]>;
  matching(query: SearchQuery): Promise<readonly Breadcrumb[]>;
  /** By the id of the record, or "tool-def-<name>". */
  find(id: string): Promise<Breadcrumb | undefined>;
}

/** `tools` are those that the caller may call; `store` has the records as they were written. */
export function overlaidRecords(
  store: Pick<BreadcrumbStore, "get" | "searchBreadcrumbs">,
  tools: readonly ToolDefinition[],
): OverlaidRecords {
  const overlaid = overlaidAmong(tools);
  let reading: Promise<readonly Breadcrumb[]> | undefined;
  const all = (): Promise<readonly Breadcrumb[]> => (overlaid.length === 0 ? none : (reading ??= readAll(store, overlaid)));
  return {
    isEmpty: overlaid.length === 0,
    all,
    matching: async (query) => (await all()).filter((record) => meetsSearch(record, query)),
    find: async (id) => (await all()).find((record) => record.id === id || `tool-def-${String(record.context["name"])}` === id),
  };
}

interface OverlaidTool extends Overlaid {
  readonly tool: ToolDefinition;
}

const none: Promise<readonly Breadcrumb[]> = Promise.resolve([]);
/** A list of tools stays the same value until something changes. */
const known = new WeakMap<readonly ToolDefinition[], readonly OverlaidTool[]>();

function overlaidAmong(tools: readonly ToolDefinition[]): readonly OverlaidTool[] {
  const before = known.get(tools);
  if (before !== undefined) return before;
  const found = tools.flatMap((tool): readonly OverlaidTool[] => {
    const below = overlaidOf(tool);
    return below === undefined ? [] : [{ tool, ...below }];
  });
  known.set(tools, found);
  return found;
}

async function readAll(store: Parameters<typeof overlaidRecords>[0], overlaid: readonly OverlaidTool[]): Promise<readonly Breadcrumb[]> {
  const below = await readBelow(store, overlaid);
  return overlaid.flatMap((one) => {
    const record = below.get(keyOf(one.sourceId, one.listedAs));
    return record === undefined ? [] : [shownForm(record, one.tool)];
  });
}

/** The records of the tools below, by source and name. */
async function readBelow(
  store: Parameters<typeof overlaidRecords>[0],
  overlaid: readonly OverlaidTool[],
): Promise<ReadonlyMap<string, Breadcrumb>> {
  const found = new Map<string, Breadcrumb>();
  const seen = overlaid.filter(({ sourceId }) => sourceId !== storedTools);
  for (let at = 0; at < seen.length; at += mostTags) {
    const anyTags = seen.slice(at, at + mostTags).map(({ listedAs }) => seenToolTag(listedAs));
    for (const record of await store.searchBreadcrumbs({ schema_name: "tool.definition.v1", anyTags, includeContext: true })) {
      const { source, approved } = upstreamOf(record) ?? {};
      const isServed = approved === true && record.context?.["state"] === undefined;
      if (source !== undefined && isServed) found.set(keyOf(source, String(record.context!["name"])), record as Breadcrumb);
    }
  }
  for (const { sourceId, listedAs } of overlaid) {
    const record = sourceId === storedTools ? await store.get(`tool-def-${listedAs}`) : undefined;
    if (record !== undefined) found.set(keyOf(sourceId, listedAs), record);
  }
  return found;
}

/** The source of stored definitions. */
const storedTools = "records";
/** As many as a search takes. */
const mostTags = 64;

function keyOf(source: string, name: string): string {
  return `${source}\n${name}`;
}

/** The record with what the tool says here. Nothing of what the overlay is above remains. */
function shownForm(record: Breadcrumb, tool: ToolDefinition): Breadcrumb {
  const source = upstreamOf(record)?.source ?? storedTools;
  const {
    title = tool.name,
    tags = [],
    context,
  } = toSeenDraft(tool, { source, identity: "", name: tool.name, print: "", text: "", by: "" });
  const { upstream: _, ...said } = context;
  const { decision: __, ...rest } = record;
  return { ...rest, title, tags, context: said as JsonObject } as Breadcrumb;
}
