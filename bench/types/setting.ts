import { type ToolDefinition, type ToolResult } from "@toolrack/core";

/** What every file of this folder begins with. Nothing here runs: the compiler is the test. */
export declare const tools: readonly ToolDefinition[];
export declare const results: readonly ToolResult[];
