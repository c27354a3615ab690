import { bundleProgram, removeProgram, startProgram } from "@toolrack/testkit/child-server";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { sized } from "@toolrack/testkit/sized";
import { afterAll, beforeAll, expect, it } from "vitest";

let waiting: string;
beforeAll(async () => {
  waiting = await bundleProgram(new URL("many-waiting.ts", import.meta.url));
});
afterAll(() => removeProgram(waiting));

it("programs that wait for a person are in their records alone, whatever they hold", async () => {
  const count = sized(40, 1_000);
  const child = startProgram(waiting, temporaryFolder(), String(count));
  await child.ended;
  const [told] = child.lines as readonly { readonly bytesEach: number; readonly waiting: number }[];
  expect(told?.waiting).toBe(count + 5);
  expect(told?.bytesEach).toBeLessThan(150_000);
}, 600_000);
