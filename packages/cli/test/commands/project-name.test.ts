import { readFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { expect, it } from "vitest";
import { run } from "../_run.ts";

it.each(["toolrack", "node_modules", "…"])("a project in the folder %s gets a name into which npm installs toolrack", async (name) => {
  const folder = temporaryFolder();
  expect((await run(["init", name], { folder })).code).toBe(0);
  expect(JSON.parse(readFileSync(join(folder, name, "package.json"), "utf8"))).toMatchObject({ name: "my-tools" });
});
