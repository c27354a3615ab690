import type { ToolDefinition } from "../tool/tool.ts";

/** What is made from a list of tools and plain options, kept for as long as the list is. A view gives the same list until something changes. */
export function keptPerList<Options, Made>(
  make: (tools: readonly ToolDefinition[], options: Options) => Made,
): (tools: readonly ToolDefinition[], options: Options) => Made {
  const byList = new WeakMap<readonly ToolDefinition[], Map<string, Made>>();
  return (tools, options) => {
    let made = byList.get(tools);
    if (made === undefined) byList.set(tools, (made = new Map()));
    const key = JSON.stringify(options);
    if (made.has(key)) return made.get(key)!;
    if (made.size >= maxKept) made.clear();
    const result = make(tools, options);
    made.set(key, result);
    return result;
  };
}

/** Options are few for one list; callers that pass new ones each time do not make it grow for ever. */
const maxKept = 64;
