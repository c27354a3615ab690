import type { ToolChoice } from "../provider.ts";
import type { PlainShapes } from "./shapes.ts";

/** The plain form. */
export interface GenericShapes extends PlainShapes {
  readonly declaration: GenericTool;
  readonly tool: GenericTool;
  readonly message: GenericResult;
  readonly choice: { tool_choice: ToolChoice };
  readonly reply: unknown;
}

export interface GenericTool {
  name: string;
  description: string;
  parameters: { [keyword: string]: unknown };
}

export interface GenericResult {
  id: string;
  name: string;
  success: boolean;
  data: unknown;
  error: string | null;
}
