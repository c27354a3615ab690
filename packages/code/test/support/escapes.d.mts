import type { ProgramResult, ToolFunction } from "../../src/index.ts";

export declare function escapeTools(): Record<string, ToolFunction>;
export declare const escapeLabels: Readonly<Record<string, readonly string[]>>;
export declare function hostState(): unknown;
export declare function hostMistake(result: ProgramResult): string | undefined;
export declare function expectationMistake(expect: unknown, result: ProgramResult): string | undefined;
