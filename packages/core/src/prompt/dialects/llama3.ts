import { defineDialect } from "../define-dialect.ts";
import { findToolCalls } from "../find-calls.ts";
import { declarations, outcome, tagSafeJson, writeInForm } from "../dialect-parts.ts";
import type { Dialect, DialectForm } from "./dialect.ts";

const form: DialectForm = {
  call: { kind: "object", name: "name", arguments: "parameters" },
  begin: "<|python_tag|>",
  list: "never",
  separator: "; ",
};

/** Llama 3.1 to 3.3. They sometimes leave out the marker, so a bare object counts as well. */
export const llama3: Dialect<"llama3"> = defineDialect({
  family: "llama3",
  models: /llama[-_. ]?(?:guard[-_. ]?)?v?3|llama[-_. ]?4/i,
  form,
  resultRole: "ipython",
  promptFor: (tools) =>
    [
      "You have access to these functions:",
      declarations(tools),
      "",
      "To call one, answer with its name and its arguments as JSON, and with nothing else:",
      '<|python_tag|>{"name": "function name", "parameters": {"argument": "value"}}',
      "Do not use variables.",
    ].join("\n"),
  writeCalls: (calls) => writeInForm(form, calls),
  readCalls: (reply, tools) => findToolCalls(reply, { tools }),
  writeResult: (result) => tagSafeJson(result.ok ? { output: result.content } : { error: outcome(result) }),
});
