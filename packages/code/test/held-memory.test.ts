import { bundleProgram, removeProgram, startProgram } from "@toolrack/testkit/child-server";
import { sized } from "@toolrack/testkit/sized";
import { afterAll, beforeAll, expect, test } from "vitest";
import { hoards } from "./support/hoards.ts";

let holding: string;
beforeAll(async () => {
  holding = await bundleProgram(new URL("holding.ts", import.meta.url));
});
afterAll(() => removeProgram(holding));

test("a program makes the host hold little more than its limit of memory, whatever it holds", async () => {
  const limit = sized(1_000_000, 3_000_000);
  const child = startProgram(holding, String(limit));
  await child.ended;
  const told = child.lines as readonly { readonly name: string; readonly most: number; readonly end: string }[];
  expect(told.map(({ name }) => name)).toEqual(Object.keys(hoards));
  expect(told.filter(({ end }) => end !== "memory" && end !== "steps")).toEqual([]);
  expect(told.filter(({ most }) => most > 3 * limit)).toEqual([]);
}, 300_000);
