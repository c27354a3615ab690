import { ToolError } from "../../../errors.ts";

/** What is used of LangChain: `tool` of @langchain/core/tools, and `ToolMessage` of @langchain/core/messages. */
export interface LangChainParts {
  // Any: the types are those of your version of LangChain.
  readonly tool: (run: any, fields: any) => any;
  readonly ToolMessage: new (fields: any) => object;
}

/** Imports LangChain where it is installed. Its names are not written as constants, so that a bundle without LangChain does not look for it. */
export async function loadLangChain(load: (name: string) => Promise<LangChainParts> = importByName): Promise<LangChainParts> {
  try {
    const [{ tool }, { ToolMessage }] = await Promise.all([load("@langchain/core/tools"), load("@langchain/core/messages")]);
    return { tool, ToolMessage };
  } catch (error) {
    throw new ToolError(
      "TOOL_UNAVAILABLE",
      `@langchain/core, which runs the tools of toLangChain, could not be imported: ${(error as Error).message}. ` +
        "Install it, or pass what you import: toLangChain(tools, { call, langchain: { tool, ToolMessage } }).",
      { cause: error },
    );
  }
}

function importByName(name: string): Promise<LangChainParts> {
  return import(/* @vite-ignore */ /* webpackIgnore: true */ name) as Promise<LangChainParts>;
}
