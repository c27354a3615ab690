import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "../../scripts/lib/files.mjs";
import { clockFiles } from "../long/busy.mjs";

it("the tests that once looked at a clock are where the list of them says", () => {
  expect(clockFiles.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  expect(clockFiles).toEqual([...new Set(clockFiles)]);
});
