import { bundleProgram, removeProgram, startProgram } from "@toolrack/testkit/child-server";
import { afterAll, beforeAll, expect, it } from "vitest";

let program = "";
beforeAll(async () => {
  program = await bundleProgram(new URL("_removed-folder.ts", import.meta.url));
});
afterAll(() => removeProgram(program));

// The thread that Node starts for this ends in such a folder, and Node would wait for it for ever, deaf to signals.
it("is refused in a working folder that was removed, also where another was made in its place, and allowed in the next one", async () => {
  const { lines, ended } = startProgram(program);
  await ended;
  const refused = expect.stringMatching(/^The working folder FOLDER was removed\. .*from a folder that exists\.$/) as string;
  expect(lines).toEqual([[refused, refused, "allowed"]]);
});
