import { checkIsList } from "../tool/check-list.ts";
import type { AnyTool } from "../tool/shapes.ts";
import { checkArgument, type FieldKind, someText } from "../util/check-fields.ts";
import type { ToolSource } from "./source.ts";

export interface CodeSource extends ToolSource {
  /** Puts another list in place, for code that loads its tools again. */
  replace(tools: readonly AnyTool[]): void;
}

/** Tools given in code. */
export function codeSource(id: string, tools: readonly AnyTool[]): CodeSource {
  checkArgument(id, idKind, "codeSource");
  checkIsList(tools, `codeSource("${id}", tools)`);
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
      checkIsList(next, `replace of the source "${id}"`);
      current = [...next];
      for (const watcher of watchers) watcher();
    },
  };
}

const idKind: FieldKind = { ...someText, is: 'an id and a list of tools, such as codeSource("mine", tools)' };
