import { defineDialect } from "../define-dialect.ts";
import { findToolCalls } from "../find-calls.ts";
import { declarations, outcome, writeInForm } from "../dialect-parts.ts";
import type { Dialect, DialectForm } from "./dialect.ts";

const form: DialectForm = {
  call: { kind: "object", name: "name", arguments: "arguments" },
  open: "<tool_call>\n",
  close: "\n</tool_call>",
  list: "never",
  separator: "\n",
};

/** Qwen 2.5 and 3, and QwQ. */
export const qwen: Dialect<"qwen"> = defineDialect({
  family: "qwen",
  models: /qwen|qwq|deepseek-r1-distill-qwen/i,
  form,
  resultRole: "tool",
  promptFor: (tools) =>
    [
      "# Tools",
      "",
      "You may call one or more functions to help with the request. Their signatures stand inside <tools></tools> tags:",
      `<tools>\n${declarations(tools)}\n</tools>`,
      "",
      "Write each call as a JSON object with the function's name and its arguments, inside <tool_call></tool_call> tags:",
      '<tool_call>\n{"name": "function name", "arguments": {"argument": "value"}}\n</tool_call>',
    ].join("\n"),
  writeCalls: (calls) => writeInForm(form, calls),
  readCalls: (reply, tools) => findToolCalls(reply, { tools }),
  // The template puts plain text here, so only the closing tag has to be escaped.
  writeResult: (result) => `<tool_response>\n${outcome(result).replaceAll("</tool_response>", "<\\/tool_response>")}\n</tool_response>`,
});
