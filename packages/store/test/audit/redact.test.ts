import { secretForms, secretsToHide } from "@toolrack/testkit/secret-forms";
import { expect, it } from "vitest";
import { createRedaction } from "../../src/audit/redact.ts";

const cases = secretsToHide.flatMap((secret) => Object.keys(secretForms).map((form) => [form, secret] as const));

it.each(cases)("S28: a secret stands in no line of the audit: %s of %j", (form, secret) => {
  const text = secretForms[form]!(secret);
  const redact = createRedaction({ values: () => [secret] })();
  const shown = JSON.stringify(redact({ content: text, data: [{ [text]: text }] }));
  expect(shown).toContain("[redacted]");
  expect(shown).not.toContain(JSON.stringify(text).slice(1, -1));
});

it.each(
  "password passwd secret client_secret token access-token refreshToken id_token API_KEY authorization Cookie set-cookie privateKey credentials".split(
    " ",
  ),
)("S28: what a field named %s has stands in no line of the audit", (name) => {
  expect(createRedaction()()({ [name]: "mine", other: "shown" })).toEqual({ [name]: "[redacted]", other: "shown" });
});

it("S28: further fields are hidden, and values that are known at the moment", () => {
  let values = ["first-value"];
  const redaction = createRedaction({ fields: ["pin"], values: () => values });
  const first = redaction();
  expect(first({ pin: 1234, text: "first-value second-value" })).toEqual({ pin: "[redacted]", text: "[redacted] second-value" });
  expect(redaction()).toBe(first);
  for (const next of [["second-value"], ["second-value", "first-value"], ["second-value"], []]) {
    values = next;
    const before = redaction();
    const shown = JSON.stringify(before({ text: "first-value second-value" }));
    expect(["first-value", "second-value"].map((value) => shown.includes(value))).toEqual(
      ["first-value", "second-value"].map((value) => !next.includes(value)),
    );
    expect(redaction()).toBe(before);
  }
});
