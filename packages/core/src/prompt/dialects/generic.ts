import { defineDialect } from "../define-dialect.ts";
import { findToolCalls } from "../find-calls.ts";
import { outcome, tagSafeJson, writeInForm } from "../dialect-parts.ts";
import type { Dialect, DialectForm } from "./dialect.ts";

const form: DialectForm = { call: { kind: "object", name: "tool", arguments: "args" }, list: "parallel" };

/** For models without a format of their own: plain JSON, explained in plain words. */
export const generic: Dialect<"generic"> = defineDialect({
  family: "generic",
  form,
  resultRole: "user",
  promptFor: (tools) =>
    [
      "You can use these tools:",
      ...tools.map(
        ({ name, description, inputSchema }) => `- ${name}: ${description}\n  Arguments (JSON Schema): ${tagSafeJson(inputSchema)}`,
      ),
      "",
      "To use a tool, answer with one JSON object:",
      '{"tool": "tool name", "args": {"argument": "value"}}',
      "To use several at once, answer with a JSON list of such objects. Wait for the results before you go on.",
    ].join("\n"),
  writeCalls: (calls) => writeInForm(form, calls),
  readCalls: (reply, tools) => findToolCalls(reply, { tools }),
  writeResult: (result) => `Result of ${result.name}:\n${outcome(result)}`,
});
