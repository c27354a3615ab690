import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { expect, it, onTestFinished } from "vitest";
import { run } from "./_run.ts";

it("the doctor tells which program to install for a built-in tool, and does not count it as a problem", async () => {
  const path = process.env["PATH"]!;
  onTestFinished(() => void (process.env["PATH"] = path));
  const folder = temporaryFolder();
  await writeFile(join(folder, "toolrack.config.yaml"), "store: { memory: true }\ntools: { packs: { media: true } }\n");
  process.env["PATH"] = folder;
  const ended = await run(["doctor"], { folder });
  expect(ended).toMatchObject({ code: 0, output: expect.stringContaining("no problems found") });
  expect(ended.output).toContain('To use tts: It needs "binary:espeak-ng". Install espeak-ng and put it on the PATH.');
});
