import { convertToOpenAITool } from "@langchain/core/utils/function_calling";
import { nestedZod } from "./zod.mjs";

export function create() {
  const schema = nestedZod();
  // A fresh copy of the outermost schema, because a schema seen before is not converted again.
  return () => convertToOpenAITool({ name: "ship", description: "Ships.", schema: schema.describe("x") });
}
