import { secretForms, secretsToHide } from "@toolrack/testkit/secret-forms";
import { expect, it } from "vitest";
import { createLogRedaction } from "../../../src/telemetry/log/redact.ts";

const cases = secretsToHide.flatMap((secret) => Object.keys(secretForms).map((form) => [form, secret] as const));

it.each(cases)("S28: a secret stands in no line of the log: %s of %j", (form, secret) => {
  const text = secretForms[form]!(secret);
  const redact = createLogRedaction({ values: () => [secret] });
  for (const line of [redact(text, { flat: text }), redact(text, { error: new Error(text), inner: { [text]: [text] } })]) {
    expect(line.message).toContain("[redacted]");
    expect(JSON.stringify(line)).not.toContain(JSON.stringify(text).slice(1, -1));
  }
});
