import { expect, it } from "vitest";
import { createSigner } from "../../src/serve/signer.ts";

it("S32: what was sealed for one purpose opens for no other, and under no other key", () => {
  const signer = createSigner("k".repeat(32));
  const sealed = signer.seal("session", "anna");
  expect(signer.open("session", sealed)).toBe("anna");
  expect(signer.open("request-state", sealed)).toBeUndefined();
  expect(createSigner("l".repeat(32)).open("session", sealed)).toBeUndefined();
});
