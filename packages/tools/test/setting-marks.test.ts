import { expect, it } from "vitest";
import { createCommerceTools, createMemoryTools, createUtilityTools, createWebTools } from "../src/index.ts";

it("SD6: every setting that says where a secret is sent is marked for admins, and every key as a reference", () => {
  const tools = [
    ...createUtilityTools(),
    ...createWebTools({ search: { backend: "brave" } }),
    ...createCommerceTools({ session: () => Promise.reject(new Error("unused")) }),
    ...createMemoryTools(),
  ];
  const marked: string[] = [];
  for (const { name, metadata } of tools) {
    const properties = (metadata?.configSchema?.["properties"] ?? {}) as Record<string, Record<string, unknown>>;
    for (const [key, setting] of Object.entries(properties)) {
      // Where a customer goes after paying receives no secret.
      if (/url|host|endpoint/i.test(key) && !/^(success|cancel)Url$/.test(key))
        expect(setting, `${name} ${key}`).toHaveProperty("x-toolrack-admin", true);
      if (/key|token|secret|password/i.test(key) && key !== "maxTokens")
        expect(setting, `${name} ${key}`).toHaveProperty("x-toolrack-secret", true);
      if (setting["x-toolrack-admin"] === true) marked.push(name);
    }
  }
  expect(marked).toEqual(expect.arrayContaining(["openrouter", "web_search", "payment_link"]));
});
