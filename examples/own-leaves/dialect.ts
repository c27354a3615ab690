// A dialect of one's own: how a family of local models writes about tools.
// #region imports
import { defineDialect, type DialectForm, dialectParts, findToolCalls } from "@toolrack/core/prompt";
// #endregion

// #region dialect
const form: DialectForm = {
  call: { kind: "object", name: "name", arguments: "arguments" },
  open: "<tool_call>",
  close: "</tool_call>",
  list: "never",
  separator: "\n",
};

export const falcon = defineDialect({
  family: "falcon",
  models: /falcon/i, // names of models that speak it
  form, // for toolCallGrammar
  resultRole: "tool",
  promptFor: (tools) =>
    [
      "Functions, one on each line:",
      dialectParts.declarations(tools),
      'Call one with <tool_call>{"name": "function name", "arguments": {"argument": "value"}}</tool_call>.',
    ].join("\n"),
  writeCalls: (calls) => dialectParts.writeInForm(form, calls),
  readCalls: (reply, tools) => findToolCalls(reply, { tools }),
  writeResult: (result) => `<result>${dialectParts.tagSafeJson(dialectParts.outcome(result))}</result>`,
});
// #endregion
