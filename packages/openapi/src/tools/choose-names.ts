import { ToolError } from "@toolrack/core";
import { nameTools } from "../names/tool-names.ts";
import type { ReadOpenApiOptions } from "../options.ts";
import type { RawOperation } from "../read/raw-operations.ts";

/**
 * A name for each operation of the document, whatever is included: so that none changes with the choice. `rename` counts for those it names;
 * all others get out of their way.
 */
export function chooseNames(
  operations: readonly RawOperation[],
  { rename = {}, prefix = "" }: Pick<ReadOpenApiOptions, "rename" | "prefix">,
): { readonly names: readonly string[]; readonly warnings: readonly string[] } {
  const used = new Set<string>();
  const renamed = operations.map(({ operation, operationId }) => {
    const key = [operation, operationId].find((one) => one !== undefined && Object.hasOwn(rename, one));
    if (key === undefined) return undefined;
    used.add(key);
    return checkName(rename[key], key);
  });
  const taken = new Set<string>();
  for (const name of renamed) {
    if (name === undefined) continue;
    if (taken.has(name.toLowerCase()))
      throw new ToolError("NAME_TAKEN", `rename gives two operations the name "${name}". Rename one of them otherwise.`);
    taken.add(name.toLowerCase());
  }
  // A chosen name takes part in the search for clashes, as an operation that is called so; it keeps its name.
  const wanted = operations.map((operation, index) => ({ ...operation, operationId: renamed[index] ?? operation.operationId }));
  let names = nameTools(wanted, prefix);
  if (taken.size > 0) {
    const clashes = names.map((name, index) => renamed[index] === undefined && taken.has(name.toLowerCase()));
    if (clashes.includes(true))
      names = nameTools([...wanted, ...wanted.filter((_, index) => clashes[index])], prefix).slice(0, wanted.length);
  }
  return {
    names: names.map((name, index) => renamed[index] ?? name),
    warnings: Object.keys(rename)
      .filter((key) => !used.has(key))
      .map((key) => `rename: no operation is called "${key.slice(0, 120)}".`),
  };
}

function checkName(name: unknown, key: string): string {
  if (typeof name === "string" && /^[A-Za-z0-9_-]{1,64}$/.test(name)) return name;
  throw new ToolError("NAME_INVALID", `rename of "${key.slice(0, 120)}" must be 1 to 64 of the characters A-Z a-z 0-9 _ -`);
}
