import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { expect, it } from "vitest";
import { run } from "./_run.ts";

// row: C16, C17
it("list and export take a bundle, and bundles says which tools of one are missing", async () => {
  const folder = temporaryFolder();
  const bundles = "bundles:\n  dice: { required: [random] }\n  words: { required: [echo, absent], optional: [calculator, never] }\n";
  writeFileSync(join(folder, "toolrack.config.yaml"), `store: { memory: true }\n${bundles}`);
  const at = (...words: string[]) => run(words, { folder });
  const namesOf = (ended: { json(): unknown }): string[] => (ended.json() as { tools: { name: string }[] }).tools.map(({ name }) => name);
  expect(namesOf(await at("list", "--bundle", "dice", "--json"))).toEqual(["random"]);
  expect(namesOf(await at("export", "anthropic", "--bundle", "words", "--json"))).toEqual(["echo", "calculator"]);
  const words = await at("bundles", "words");
  expect(words.code).toBe(1);
  expect(words.output).toContain("Missing: absent");
  expect(words.output).toContain("Optional, and not available: never");
  const blog = await at("bundles", "blog_agent");
  expect(blog.code).toBe(0);
  expect(blog.output).toMatch(/Optional, and not available: .*rss_feed.*blog_notion/);
  expect((await at("list", "--bundle", "none")).errors).toContain('no bundle "none"');
});
