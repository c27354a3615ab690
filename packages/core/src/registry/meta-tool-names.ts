/** The names of the three. */
export const metaToolNames: readonly string[] = Object.freeze(["search_tools", "describe_tool", "call_tool"]);
