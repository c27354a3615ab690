import type { ReadOpenApiOptions } from "../options.ts";
import { type Filtered, readFilters } from "./filters.ts";

/** The policy groups of an operation. */
export function readGroups(group: ReadOpenApiOptions["group"]): (operation: Filtered) => readonly string[] {
  if (group === undefined) return () => [];
  if (typeof group === "string") return () => [group];
  const tests = Object.entries(group).map(([name, filters]) => [name, readFilters(filters, `group.${name}`)] as const);
  return (operation) => tests.filter(([, test]) => test(operation)).map(([name]) => name);
}
