import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { version as ofServer } from "@toolrack/server";
import { version } from "../src/version.ts";

it("is the version of every package", () => {
  const folder = new URL("../../", import.meta.url);
  const versions = readdirSync(folder).map(
    (name) => JSON.parse(readFileSync(new URL(`${name}/package.json`, folder), "utf8")).version as string,
  );
  expect(new Set([...versions, version, ofServer])).toEqual(new Set([version]));
});
