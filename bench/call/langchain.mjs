import { tool } from "@langchain/core/tools";
import { handler, inputOf, zodSchema } from "./setting.mjs";

export async function create(setting) {
  const find = tool(handler, { name: "find", description: "Finds products.", schema: await zodSchema() });
  const input = inputOf(setting);
  return () => find.invoke(input).catch((error) => error);
}
