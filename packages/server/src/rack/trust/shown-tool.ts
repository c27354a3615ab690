import type { AnyTool } from "@toolrack/core";
import { passOrigin } from "@toolrack/mcp";
import { type Breadcrumb, upstreamOf } from "@toolrack/store";
import type { Verdict } from "./judge.ts";
import { withApprovedText, withBothSchemas } from "./pinned-tool.ts";
import type { SeenTool } from "./seen.ts";

const shown = new WeakMap<AnyTool, { readonly key: string; readonly tool: AnyTool }>();

/** The tool as callers see it; the same value while nothing changes. */
export function servedOf(one: SeenTool, record: Breadcrumb | undefined, { serve }: Verdict): AnyTool | undefined {
  if (serve === "nothing" || record === undefined) return undefined;
  const key = `${serve} ${record.id} ${upstreamOf(record)!.print}`;
  const before = shown.get(one.shape);
  if (before?.key === key) return before.tool;
  const definition = upstreamOf(record)!.definition ?? {};
  if (one.beside !== undefined) {
    const text = one.beside.as(definition);
    shown.set(one.shape, { key, tool: text });
    return text;
  }
  const tool = serve === "both" ? withBothSchemas(one.tool, record) : withApprovedText(one.tool, record);
  passOrigin(one.tool, tool, definition);
  shown.set(one.shape, { key, tool });
  return tool;
}
