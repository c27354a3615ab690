import { ToolError } from "@toolrack/core";
import { isObject } from "@toolrack/core/internal";
import type { ParameterFilter, ReadOpenApiOptions } from "../options.ts";
import type { RawOperation } from "../read/raw-operations.ts";
import type { Treatment } from "../read/context.ts";
import { type OperationTest, readFilters } from "./filters.ts";

export interface Treatments {
  readonly isEmpty: boolean;
  treat(raw: RawOperation, place: string, name: string): Treatment;
  /** A sentence for each entry that matched no parameter. */
  unused(): readonly string[];
}

interface Entry {
  readonly name: string;
  readonly place: string | undefined;
  readonly operation: OperationTest | undefined;
  readonly treatment: Treatment;
  readonly option: string;
  isUsed: boolean;
}

/** What happens to each parameter: the first matching entry of `pin`, then of `hide`, counts. */
export function readTreatments({ hide = [], pin = {} }: Pick<ReadOpenApiOptions, "hide" | "pin">): Treatments {
  const pinned = Array.isArray(pin) ? pin : Object.entries(pin).map(([name, value]) => ({ ...split(name), value: value as unknown }));
  const entries: Entry[] = [
    ...pinned.map((one: Exclude<ParameterFilter, string> & { value: unknown }) => toEntry(one, { pinned: one.value }, "pin")),
    ...hide.map((one) => toEntry(typeof one === "string" ? split(one) : one, "hidden", "hide")),
  ];
  return {
    isEmpty: entries.length === 0,
    treat(raw, place, name) {
      if (entries.length === 0) return "shown";
      const found = entries.find(
        (entry) => entry.name === name && (entry.place === undefined || entry.place === place) && (entry.operation?.(raw) ?? true),
      );
      if (found === undefined) return "shown";
      found.isUsed = true;
      return found.treatment;
    },
    unused: () => entries.filter(({ isUsed }) => !isUsed).map(({ option, name }) => `${option}: no operation has a parameter "${name}".`),
  };
}

/** "query:version" → one place; "version" → all. */
function split(text: string): { readonly name: string; readonly in?: string } {
  const [, place, name] = /^(path|query|header|cookie|body):(.+)$/s.exec(text) ?? [];
  return name === undefined ? { name: text } : { name, in: place! };
}

function toEntry(filter: Exclude<ParameterFilter, string>, treatment: Treatment, option: string): Entry {
  if (!isObject(filter) || typeof filter.name !== "string")
    throw new ToolError(
      "CONFIG_INVALID",
      `${option} must hold names of parameters, or { name, in, operation${option === "pin" ? ", value" : ""} }.`,
    );
  if (treatment !== "hidden" && (treatment as { pinned: unknown }).pinned === undefined)
    throw new ToolError("CONFIG_INVALID", `pin: "${filter.name}" has no value.`);
  return {
    name: filter.name,
    place: filter.in,
    operation: filter.operation === undefined ? undefined : readFilters(filter.operation, `${option} of "${filter.name}"`),
    treatment,
    option,
    isUsed: false,
  };
}
