import type { Breadcrumb } from "../record/breadcrumb.ts";
import { definitionSchema } from "../record/identity.ts";
import { sha256Of } from "../record/json.ts";
import { contextText } from "../record/context-text.ts";
import { isCallable, stateOf } from "./state.ts";

export const catalogId = "tool-catalog";
export const catalogTags: readonly string[] = ["tool:catalog", "workspace:tools"];
/** Definitions with this tag are in the catalog. */
export const listedTag = "workspace:tools";

type Listable = Pick<Breadcrumb, "schema_name" | "tags" | "context"> &
  Partial<Pick<Breadcrumb, "title" | "updated_as" | "decision" | "visibility">>;

/** Whether a definition is in the catalog of its owner: tagged for it, callable, and not private. */
export function isListed(record: Listable): boolean {
  return (
    record.schema_name === definitionSchema &&
    record.visibility !== "private" &&
    record.tags.includes(listedTag) &&
    isCallable(stateOf(record))
  );
}

/** What one tool adds to the catalog's hash. */
export function entryHash(definition: Pick<Breadcrumb, "context">, configId: string | undefined): bigint {
  const entry = `{"configId":${JSON.stringify(configId ?? null)},"context":${contextText(definition.context)}}`;
  return BigInt(`0x${sha256Of(entry)}`);
}

/** A sum of hashes: a tool is added or removed without reading the others, and the order does not matter. */
export function addHash(sum: bigint, hash: bigint): bigint {
  return BigInt.asUintN(256, sum + hash);
}

export function showHash(sum: bigint): string {
  return `sum256:${sum.toString(16).padStart(64, "0")}`;
}

export function readHash(text: unknown): bigint {
  return typeof text === "string" && /^sum256:[0-9a-f]{64}$/.test(text) ? BigInt(`0x${text.slice(7)}`) : 0n;
}
