import { type AnyTool, ToolError, type ToolSource } from "@toolrack/core";

/** What a tool is, whatever name it has here: the identity of its source, and its name there. */
export interface ToolOrigin {
  readonly source: string;
  readonly tool: string;
}

/** The identity of a source: what it starts or talks to; its id where that is all there is. */
export function sourceIdentity({ id, identity }: Pick<ToolSource, "id" | "identity">): string {
  return identity ?? id;
}

/** "mcp:github" → "github" */
export function withoutType(sourceId: string): string {
  return sourceId.slice(sourceId.indexOf(":") + 1);
}

/** An entry that the registry leaves out alone, and shows with this reason among the problems of the source. */
export function leftOut(reason: string): AnyTool {
  return {
    get handler(): never {
      throw new ToolError("DEFINITION_INVALID", reason);
    },
  } as unknown as AnyTool;
}

/** The name that a shape has; undefined for what is no tool. */
export function readName(shape: AnyTool): string | undefined {
  const { name } = shape as { readonly name?: unknown };
  return typeof name === "string" ? name : undefined;
}

/** Two tools of one source under one name: those that an overlay renamed to it are left out. */
export function withoutDoubles(source: ToolSource, originals: readonly AnyTool[], tools: readonly AnyTool[]): readonly AnyTool[] {
  if (tools === originals) return tools;
  const own = new Set(originals);
  const taken = new Set<string | undefined>(tools.filter((tool) => own.has(tool)).map(versionKey));
  return tools.map((tool) => {
    const key = own.has(tool) ? undefined : versionKey(tool);
    if (key === undefined) return tool;
    if (!taken.has(key)) taken.add(key);
    else return leftOut(`An overlay renames a tool of "${source.id}" to "${readName(tool)}", which another tool of it is called.`);
    return tool;
  });
}

function versionKey(tool: AnyTool): string | undefined {
  const name = readName(tool);
  return name === undefined ? undefined : `${name}@${(tool as { version?: string }).version ?? ""}`;
}
