import type { AnyTool } from "../tool/shapes.ts";
import type { ToolSource } from "./source.ts";

export interface CodeSource extends ToolSource {
  /** Puts another list in place, for code that loads its tools again. */
  replace(tools: readonly AnyTool[]): void;
}

/** Tools given in code. */
export function codeSource(id: string, tools: readonly AnyTool[]): CodeSource {
  let current = [...tools];
  const watchers = new Set<() => void>();
  return {
    id,
    list: () => current,
    watch(onChange) {
      const watcher = (): void => onChange();
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    replace(next) {
      current = [...next];
      for (const watcher of watchers) watcher();
    },
  };
}
