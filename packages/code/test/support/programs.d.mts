import type { ProgramResult, ToolFunction } from "../../src/index.ts";

export declare function tableTools(tools: unknown): Record<string, ToolFunction>;
export declare function programMistake(program: unknown, result: ProgramResult): string | undefined;
