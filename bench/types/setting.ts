import type { Caller, Registry, ToolDefinition, ToolResult } from "@toolrack/core";

/** What the files about vendors begin with. Nothing here runs: the compiler is the test. */
export declare const registry: Registry;
export declare const caller: Caller;
export declare const tools: readonly ToolDefinition[];
export declare const results: readonly ToolResult[];
