import type { CallContext } from "@toolrack/core";

/**
 * Other machines whose tools are served here: paired Toolracks and MCP servers.
 * Contract: a caller sees a node by the tools of it that it may use; one without any is as one that does not exist.
 */
export interface NodesHost {
  list(context: CallContext): Promise<readonly Node[]>;
}

export interface Node {
  /** As the configuration names it: "office". */
  readonly id: string;
  /** "mcp-http", "mcp-stdio", "workers" … */
  readonly kind: string;
  readonly state: string;
  /** The tools of it that the caller may use. */
  readonly tools: readonly NodeTool[];
}

export interface NodeTool {
  readonly name: string;
  readonly description: string;
}
