import { describe, expect, it } from "vitest";
import { createMemorySecrets } from "../../../src/call/ports/secrets.ts";

describe("createMemorySecrets", () => {
  it("has what was given and set, and nothing that every object inherits", async () => {
    const secrets = createMemorySecrets({ A: "1" });
    secrets.set("B", "2");
    const get = (name: string) => secrets.get({ name, tool: "echo", callId: "c-1", caller: {} });
    expect([await get("A"), await get("B"), await get("C"), await get("constructor"), await get("__proto__")]).toEqual([
      "1",
      "2",
      undefined,
      undefined,
      undefined,
    ]);
    expect(["A", "B", "C", "toString"].map(secrets.has)).toEqual([true, true, false, false]);
  });

  it("refuses a secret that is no text, by name", () => {
    expect(() => createMemorySecrets({ A: 1 } as never)).toThrow(
      expect.objectContaining({ code: "CONFIG_INVALID", message: expect.stringContaining('"A" must be a text') }),
    );
  });
});
