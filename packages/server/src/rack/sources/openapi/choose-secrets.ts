import { defineTool, type ToolDefinition } from "@toolrack/core";
import { describeOpenApiTool } from "@toolrack/openapi";

/**
 * A tool that can sign in in several ways needs the secrets of one of them: the first way whose secrets are all set; until then the first
 * that needs any. If a call may also be made without signing in, it needs none until a way is complete.
 */
export function withChosenSecrets(
  tool: ToolDefinition,
  names: Readonly<Record<string, string>>,
  isSet: (secret: string) => boolean,
): ToolDefinition {
  const ways = waysOf(tool, names);
  if (ways.length < 2) return tool;
  const complete = ways.find((way) => way.length > 0 && way.every(isSet));
  const chosen = complete ?? (ways.some((way) => way.length === 0) ? [] : ways[0]!);
  const { secrets: _, ...metadata } = tool.metadata ?? {};
  return defineTool({ ...tool, metadata: { ...metadata, ...(chosen.length > 0 && { secrets: chosen }) } }) as ToolDefinition;
}

/** The secrets of each way to sign in. Schemes that the tool does not support need none of ours. */
export function waysOf(tool: ToolDefinition, names: Readonly<Record<string, string>>): readonly (readonly string[])[] {
  const known = new Set(tool.metadata?.secrets);
  return describeOpenApiTool(tool).security.map((way) =>
    Object.keys(way)
      .map((scheme) => (Object.hasOwn(names, scheme) ? names[scheme]! : scheme))
      .filter((secret) => known.has(secret)),
  );
}
