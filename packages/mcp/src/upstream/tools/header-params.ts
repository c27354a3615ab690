/**
 * What is wrong with the `x-mcp-header` annotations of a tool; undefined if nothing is. Over HTTP such parameters are sent as headers
 * too, and the protocol asks clients to leave a tool out whose annotations cannot be followed.
 */
export function headerFault(inputSchema: unknown): string | undefined {
  const seen = new Set<string>();

  /** `isDirect`: reached from the root by `properties` alone. */
  const visit = (node: unknown, isDirect: boolean, depth: number): string | undefined => {
    if (typeof node !== "object" || node === null) return undefined;
    if (depth > 128) return "the schema is nested too deeply";
    if (Array.isArray(node)) return first(node, (item) => visit(item, false, depth + 1));
    const schema = node as Record<string, unknown>;
    const fault = Object.hasOwn(schema, annotation) ? check(schema, isDirect && depth > 0) : undefined;
    return (
      fault ??
      first(Object.entries(schema), ([key, inner]) => {
        if (!isDirect || key !== "properties" || typeof inner !== "object" || inner === null) return visit(inner, false, depth + 1);
        return first(Object.values(inner), (property) => visit(property, true, depth + 1));
      })
    );
  };

  const check = (schema: Record<string, unknown>, isAllowedHere: boolean): string | undefined => {
    const header = schema[annotation];
    if (!isAllowedHere) return `"${annotation}" is in a place where the value cannot be found by name alone`;
    if (typeof header !== "string" || !/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/.test(header))
      return `"${annotation}" is not the name of a header`;
    if (!["string", "integer", "boolean"].includes(schema["type"] as string))
      return `"${annotation}" is set on a value that is no text, integer or boolean`;
    if (seen.has(header.toLowerCase())) return `two parameters are sent as the header "${header}"`;
    seen.add(header.toLowerCase());
    return undefined;
  };

  return visit(inputSchema, true, 0);
}

const annotation = "x-mcp-header";

function first<Item>(items: readonly Item[], find: (item: Item) => string | undefined): string | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
