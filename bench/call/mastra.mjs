import { createTool } from "@mastra/core/tools";
import { handler, inputOf, zodSchema } from "./setting.mjs";

export async function create(setting) {
  const find = createTool({ id: "find", description: "Finds products.", inputSchema: await zodSchema(), execute: handler });
  const input = inputOf(setting);
  return () => find.execute(input, {});
}
