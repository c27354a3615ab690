/** What a result can depend on in a tool. */
interface ListedTool {
  readonly inputSchema?: unknown;
}

/** What was made from a list, by the options it was made with; forgotten together with the list. */
export type PerList<Made> = WeakMap<readonly ListedTool[], Map<string, Made>>;

/**
 * Makes something from a list of tools and plain options once. The list of a registry's view is the same array until something changes,
 * so what is made from it stays the same object. Lists and tools that can change are not remembered.
 */
export function oncePerList<Made extends object>(
  remembered: PerList<Made>,
  tools: readonly ListedTool[],
  options: unknown,
  make: () => Made,
): Made {
  const key = JSON.stringify(options);
  let made = remembered.get(tools);
  const known = made?.get(key);
  if (known !== undefined) return known;
  const result = Object.freeze(make());
  if (!Object.isFrozen(tools) || !tools.every(isFixed)) return result;
  if (made === undefined) remembered.set(tools, (made = new Map()));
  else if (made.size >= maxRemembered) made.clear();
  made.set(key, result);
  return result;
}

/** A list is used with few options; callers that pass new ones each time must not make it grow without end. */
const maxRemembered = 64;

/** A tool that cannot change is the same when it comes again. */
export function isFixed(tool: ListedTool | undefined): boolean {
  return Object.isFrozen(tool) && Object.isFrozen(tool?.inputSchema);
}
