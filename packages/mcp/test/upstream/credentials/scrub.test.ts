import { secretForms, secretsToHide } from "@toolrack/testkit/secret-forms";
import { expect, it } from "vitest";
import { createScrubber } from "../../../src/upstream/credentials/scrub.ts";

const cases = secretsToHide.flatMap((secret) => Object.keys(secretForms).map((form) => [form, secret] as const));

it.each(cases)("S28: a credential leaves in no answer and no error of its server: %s of %j", (form, secret) => {
  const text = secretForms[form]!(secret);
  const scrub = createScrubber([]);
  scrub.learn([secret]);
  const error = scrub.error(new Error(text, { cause: new Error(text) }));
  const parts = [
    scrub.text(text),
    JSON.stringify(scrub.value({ [text]: [text] })),
    error.message,
    error.stack,
    (error.cause as Error).message,
  ];
  for (const part of parts) {
    expect(part).toContain("[redacted]");
    expect(part).not.toContain(text);
  }
});
