import { convertToOpenAITool } from "@langchain/core/utils/function_calling";
import { nestedZod } from "./zod.mjs";

export function create() {
  return () => convertToOpenAITool({ name: "ship", description: "Ships.", schema: nestedZod() });
}
