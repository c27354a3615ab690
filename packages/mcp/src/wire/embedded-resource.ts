import type { ContentBlock } from "@toolrack/core";

/** A resource link with the content of the resource. */
export type EmbeddedResource = Extract<ContentBlock, { type: "resource_link" }> & { readonly text?: string; readonly blob?: string };

export interface EmbeddedContent {
  readonly uri: string;
  readonly mimeType?: string;
  /** Either text, or a blob as base64. */
  readonly text?: string;
  readonly blob?: string;
}

/** A content block that holds a resource itself: read as a link where only links are known, sent as `resource` over MCP. */
export function embedResource(content: EmbeddedContent): EmbeddedResource {
  return { type: "resource_link", name: content.uri, ...content };
}

export function isEmbedded(block: ContentBlock): block is EmbeddedResource {
  return block.type === "resource_link" && (Object.hasOwn(block, "text") || Object.hasOwn(block, "blob"));
}
