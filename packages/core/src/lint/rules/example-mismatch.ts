import { isObject, type JsonObject } from "@toolrack/json-schema/internal";
import { faultsOf } from "../faults.ts";
import { nameOf } from "../located-schemas.ts";
import type { ToolRule, Report } from "../rule.ts";
import type { LintSubject } from "../subject.ts";

export const exampleMismatch: ToolRule = {
  id: "example-mismatch",
  severity: "error",
  finds: "Examples that their own schemas do not allow.",
  check(subject, report) {
    if (subject.input) checkCalls("input", subject.input, subject, report);
    if (subject.output) checkCalls("output", subject.output, subject, report);
    if (subject.input) checkSchemaExamples(subject.input, subject, report);
  },
};

/** The inputs, or the outputs, of metadata.examples. */
function checkCalls(part: "input" | "output", schema: JsonObject, { metadata, remotes }: LintSubject, report: Report): void {
  const examples: unknown[] = Array.isArray(metadata["examples"]) ? metadata["examples"] : [];
  const claims = examples.flatMap((example, index) =>
    isObject(example) && example[part] !== undefined ? [{ index, pointer: "", value: example[part] }] : [],
  );
  for (const [{ index }, fault] of faultsOf(schema, claims, remotes)) {
    const message = `Example ${index + 1} does not match the ${part} schema: ${fault.message}`;
    report(`/metadata/examples/${index}/${part}${fault.path}`, message, "Correct the example or the schema: models copy examples.");
  }
}

/** What stands under the keyword `examples`. */
function checkSchemaExamples(schema: JsonObject, { inputs, remotes }: LintSubject, report: Report): void {
  const claims = inputs.flatMap((located) =>
    (Array.isArray(located.schema["examples"]) ? located.schema["examples"] : []).map((value, index) => ({
      located,
      index,
      pointer: located.pointer,
      value,
    })),
  );
  for (const [{ located, index }, fault] of faultsOf(schema, claims, remotes)) {
    const message = `${nameOf(located)} has an example that it does not allow: ${fault.message}`;
    report(`${located.path}/examples/${index}`, message, "Correct the example or the schema.");
  }
}
