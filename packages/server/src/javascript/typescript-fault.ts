import { readFileSync } from "node:fs";
import { createRequire, SourceMap } from "node:module";
import { findCompiler, transformOptions } from "./allow-typescript.ts";

export interface TypeScriptFault {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** Why a TypeScript file is no JavaScript after its types were removed. Undefined if it is. */
export async function findTypeScriptFault(file: string): Promise<TypeScriptFault | undefined> {
  const compiler = findCompiler();
  const { transformSync } = createRequire(compiler)(compiler) as typeof import("@swc/wasm-typescript");
  const { parse } = await import("acorn");
  let written: { readonly code: string; readonly map?: string };
  try {
    written = transformSync(readFileSync(file, "utf8"), transformOptions);
  } catch (fault) {
    const { message, startLine: line, startColumn } = fault as CompilerFault;
    return { line, column: startColumn + 1, message: `SyntaxError: ${message}` };
  }
  try {
    parse(written.code, { ecmaVersion: "latest", sourceType: "module" });
    return undefined;
  } catch (error) {
    const { loc, message } = error as Error & { readonly loc: { readonly line: number; readonly column: number } };
    const entry = new SourceMap(JSON.parse(written.map ?? "{}")).findEntry(loc.line - 1, loc.column) as Partial<
      Record<"originalLine" | "originalColumn", number>
    >;
    const isDecorator = written.code.split("\n")[loc.line - 1]?.[loc.column] === "@";
    return {
      line: (entry.originalLine ?? loc.line - 1) + 1,
      column: (entry.originalColumn ?? loc.column) + 1,
      message: isDecorator ? noDecorators : `SyntaxError: ${message.replace(/ \(\d+:\d+\)$/, "")}`,
    };
  }
}

interface CompilerFault {
  readonly message: string;
  readonly startLine: number;
  readonly startColumn: number;
}

const noDecorators = "SyntaxError: decorators are not part of JavaScript yet. Call the function instead, or compile the file first.";
