import { type AnyTool, defineTool, type Logger } from "@toolrack/core";

export interface PacksOptions {
  /** By name of the pack: options, true for the defaults, false to leave it out. */
  readonly packs: Readonly<Record<string, boolean | Readonly<Record<string, unknown>>>>;
  readonly log: Logger;
}

/** The built-in tools. */
export function openPacks(_options: PacksOptions): readonly AnyTool[] {
  return [
    defineTool({
      name: "echo",
      description: "Says back what it is told.",
      inputSchema: { type: "object", properties: { text: { type: "string", description: "What to say." } }, required: ["text"] },
      metadata: { category: "utility", annotations: { readOnly: true } },
      handler: ({ text }) => text,
    }),
  ];
}
