import { asSchema, tool } from "ai";
import { handler, inputOf, zodSchema } from "./setting.mjs";

export async function create(setting) {
  const find = tool({ description: "Finds products.", inputSchema: await zodSchema(), execute: handler });
  const input = inputOf(setting);
  return async () => {
    const checked = await asSchema(find.inputSchema).validate(input);
    return checked.success ? await find.execute(checked.value, { toolCallId: "1", messages: [] }) : checked.error;
  };
}
