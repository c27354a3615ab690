import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { looksRandom } from "../../src/config/checks/random-text.ts";

it("recognises nearly every random token of the usual forms", () => {
  const forms: Record<string, () => string> = {
    hex: () => randomBytes(16).toString("hex"),
    base64url: () => randomBytes(24).toString("base64url"),
    webhook: () => randomBytes(51).toString("base64url"),
    base62: () =>
      randomBytes(64)
        .toString("base64")
        .replaceAll(/[^A-Za-z0-9]/g, "")
        .slice(0, 24),
  };
  for (const [form, make] of Object.entries(forms)) {
    const found = Array.from({ length: 500 }, make).filter(looksRandom).length;
    expect([form, found >= 460]).toEqual([form, true]);
  }
});

it("takes words, numbers, versions, dates and UUIDs for what they are", () => {
  const plain = [
    "mcp",
    "list-all-projects-of-2026",
    "my_server_v2_eu_west_1",
    "2026-11-16T12-05-22Z",
    "123456789012345678",
    "getUserAccountSettingsById",
    "",
  ];
  for (const text of [...plain, "server-filesystem@2026.8.31", "3f9a0c71-d2b8-4e6f-a5c0-9d17e2b3a486", "@modelcontextprotocol"])
    expect([text, looksRandom(text)]).toEqual([text, false]);
});
