import { defineDialect } from "../define-dialect.ts";
import { findToolCalls } from "../find-calls.ts";
import { declarations, outcome, tagSafeJson, writeInForm } from "../dialect-parts.ts";
import type { Dialect, DialectForm } from "./dialect.ts";

const form: DialectForm = {
  call: { kind: "object", name: "name", arguments: "arguments" },
  open: "<tool_call>\n",
  close: "\n</tool_call>",
  list: "never",
  separator: "\n",
};

/** Nous Hermes 2 Pro, 3 and 4, and models trained on its format. */
export const hermes: Dialect<"hermes"> = defineDialect({
  family: "hermes",
  models: /hermes|\bnous\b/i,
  form,
  resultRole: "tool",
  promptFor: (tools) =>
    [
      "You can call functions. Their signatures stand inside <tools></tools> tags:",
      `<tools>\n${declarations(tools)}\n</tools>`,
      "Do not guess values for arguments. Write each call as a JSON object inside <tool_call></tool_call> tags:",
      '<tool_call>\n{"name": "function name", "arguments": {"argument": "value"}}\n</tool_call>',
    ].join("\n"),
  writeCalls: (calls) => writeInForm(form, calls),
  readCalls: (reply, tools) => findToolCalls(reply, { tools }),
  writeResult: (result) => `<tool_response>\n${tagSafeJson({ name: result.name, content: outcome(result) })}\n</tool_response>`,
});
