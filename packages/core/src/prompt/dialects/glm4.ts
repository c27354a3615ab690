import { defineDialect } from "../define-dialect.ts";
import { findToolCalls } from "../find-calls.ts";
import { outcome, tagSafeJson, writeInForm } from "../dialect-parts.ts";
import type { Dialect, DialectForm } from "./dialect.ts";

const form: DialectForm = { call: { kind: "line" }, list: "never", separator: "\n" };

/** GLM-4: a line with the name, then the arguments. GLM-4.5 and later write <arg_key> and <arg_value> in a tag, which is read as well. */
export const glm4: Dialect<"glm4"> = defineDialect({
  family: "glm4",
  models: /\bglm[-_. ]?(?:4|z1|5)|chatglm[-_]?4|codegeex/i,
  form,
  resultRole: "observation",
  promptFor: (tools) =>
    [
      "# Available tools",
      ...tools.map(
        ({ name, description, inputSchema }) => `\n## ${name}\n\n${tagSafeJson({ name, description, parameters: inputSchema })}`,
      ),
      "",
      "To call a tool, write its name on a line of its own and the arguments as JSON on the next line:",
      'tool_name\n{"argument": "value"}',
    ].join("\n"),
  writeCalls: (calls) => writeInForm(form, calls),
  readCalls: (reply, tools) => findToolCalls(reply, { tools, bareNames: true }),
  writeResult: outcome,
});
