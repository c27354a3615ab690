import type { ToolDefinition } from "@toolrack/core";
import { isObject } from "@toolrack/core/internal";
import { cleanText } from "@toolrack/core/scan";
import type { JsonObject } from "./protocol.ts";

/** What a list says of a tool beyond its definition here, as its server sent it. */
export interface ListedFields {
  /** The title among the annotations, which may be another one than the tool's. */
  readonly annotationsTitle?: string;
  readonly meta?: JsonObject;
}

const listed = new WeakMap<ToolDefinition, ListedFields>();

/** Notes them for a tool that came from a server. A `_meta` that is longer than any honest one is left out. */
export function noteListedFields(tool: ToolDefinition, { annotations, _meta }: Readonly<JsonObject>): void {
  const title = isObject(annotations) ? annotations["title"] : undefined;
  const meta = isObject(_meta) ? passedMeta(_meta) : {};
  const said = {
    ...(typeof title === "string" && { annotationsTitle: cleanText(title) }),
    ...(Object.keys(meta).length > 0 && JSON.stringify(meta).length <= maxLength && { meta }),
  };
  if (Object.keys(said).length > 0) listed.set(tool, said);
}

/** For a tool that was made from another one. */
export function passListedFields(from: ToolDefinition, to: ToolDefinition): void {
  const said = listed.get(from);
  if (said !== undefined) listed.set(to, said);
}

export function listedFieldsOf(tool: ToolDefinition): ListedFields {
  return listed.get(tool) ?? {};
}

const maxLength = 16_384;

/** Without what this server says itself, and without views, whose resources it does not have. */
function passedMeta(meta: Readonly<JsonObject>): JsonObject {
  const isOurs = (key: string): boolean => /^(?:toolrack|io\.modelcontextprotocol|ui|openai)(?:\/|$)/.test(key);
  return Object.fromEntries(Object.entries(meta).filter(([key]) => !isOurs(key)));
}
