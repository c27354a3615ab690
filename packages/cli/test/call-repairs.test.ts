import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { expect, it } from "vitest";
import { run } from "./_run.ts";

it("call says which inputs were read otherwise than they were given", async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "toolrack.config.yaml"), "store: { memory: true }\ntools: { repairInputs: true }\n");
  const { code, errors } = await run(["call", "random", '{"min":"3","max":3}'], { folder });
  expect(code).toBe(0);
  expect(errors).toContain('min: "3" was read as 3.');
});
