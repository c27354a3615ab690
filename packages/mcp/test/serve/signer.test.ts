import { expect, it } from "vitest";
import { createSigner } from "../../src/serve/signer.ts";

it("S32: what was sealed for one purpose opens for no other, and under no other key", () => {
  const signer = createSigner("k".repeat(32));
  const sealed = signer.seal("session", "anna");
  expect(signer.open("session", sealed)).toBe("anna");
  expect(signer.open("request-state", sealed)).toBeUndefined();
  expect(createSigner("l".repeat(32)).open("session", sealed)).toBeUndefined();
});

it("what was sealed opens in one spelling alone, unchanged", () => {
  const signer = createSigner("k".repeat(32));
  const sealed = signer.seal("session", "Z\u00fcrich");
  expect(signer.open("session", sealed)).toBe("Z\u00fcrich");
  const [body, mac] = sealed.split(".") as [string, string];
  for (const wrong of [body, `${body}.`, `${body}.${mac}=`, `${body}.${mac}x`, `${body}.${mac.slice(0, -2)}`, `x${sealed}`, `.${mac}`])
    expect(signer.open("session", wrong), wrong).toBeUndefined();
});

it("a key has at least 32 bytes, and one that nobody gives is like no other", () => {
  expect(() => createSigner("k".repeat(31))).toThrow(
    expect.objectContaining({
      code: "CONFIG_INVALID",
      message: "requestStateKey must have at least 32 bytes. Make one with: openssl rand -base64 32",
    }),
  );
  expect(() => createSigner(new Uint8Array(31))).toThrow("at least 32 bytes");
  createSigner("\u00fc".repeat(16));
  const [one, other] = [createSigner(undefined), createSigner(undefined)];
  expect([one.open("a", one.seal("a", "b")), other.open("a", one.seal("a", "b"))]).toEqual(["b", undefined]);
});
