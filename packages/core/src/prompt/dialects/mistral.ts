import { defineDialect } from "../define-dialect.ts";
import { findToolCalls } from "../find-calls.ts";
import { declaration, outcome, tagSafeJson, writeInForm } from "../dialect-parts.ts";
import type { Dialect, DialectForm } from "./dialect.ts";

const form: DialectForm = { call: { kind: "object", name: "name", arguments: "arguments" }, begin: "[TOOL_CALLS]", list: "always" };

/** Mistral, Mixtral, Ministral, Codestral and Devstral. Newer ones write [TOOL_CALLS]name[ARGS]{…}, which is read as well. */
export const mistral: Dialect<"mistral"> = defineDialect({
  family: "mistral",
  models: /mistral|mixtral|ministral|codestral|devstral|magistral|pixtral/i,
  form,
  resultRole: "tool",
  promptFor: (tools) =>
    [
      `[AVAILABLE_TOOLS][${tools.map(declaration).join(", ")}][/AVAILABLE_TOOLS]`,
      "To call tools, answer with [TOOL_CALLS] and a JSON list, and with nothing else:",
      '[TOOL_CALLS][{"name": "tool name", "arguments": {"argument": "value"}}]',
    ].join("\n"),
  writeCalls: (calls) => writeInForm(form, calls),
  readCalls: (reply, tools) => findToolCalls(reply, { tools }),
  writeResult: (result) => `[TOOL_RESULTS]${tagSafeJson({ name: result.name, content: outcome(result) })}[/TOOL_RESULTS]`,
});
