import { badDocuments, badOperations, fineOperation, hugeDocument } from "@toolrack/testkit/bad-documents";
import { temporaryFolder } from "@toolrack/testkit/folders";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { run } from "./_run.ts";

const raw = /TypeError|RangeError|SyntaxError|undefined|\[object|\n +at /;
const config = "tools: { packs: { utility: false } }\n";

describe("a document of which nothing can be read", () => {
  it.each(badDocuments)("fails both commands with one sentence: $what", async ({ text, ending, fact }) => {
    const file = `bad.${ending}`;
    const folder = temporaryFolder({ "toolrack.config.yaml": config, [file]: text() });
    for (const words of [
      ["openapi", "plan", file],
      ["sources", "add", "bad", "--openapi", file],
    ]) {
      const { code, output, errors } = await run(words, { folder });
      expect(code).not.toBe(0);
      expect(`${output}${errors}`.replaceAll(/\s+/g, " ")).toMatch(fact);
      expect(`${output}${errors}`).not.toMatch(raw);
    }
  });

  it("is 50 MB: it is refused for its size, in the project and elsewhere", async () => {
    const folder = temporaryFolder({ "toolrack.config.yaml": config, "huge.json": hugeDocument() });
    const other = temporaryFolder({ "toolrack.config.yaml": config });
    expect((await run(["openapi", "plan", "huge.json"], { folder })).errors).toContain("is larger than 33554432 bytes");
    const sent = await run(["openapi", "plan", path.join(folder, "huge.json")], { folder: other });
    expect(sent.errors).toContain("at most 4000000 are sent. Put it into the project");
  });
});

describe("a document with one bad part", () => {
  it.each(badOperations)("is planned with the fact, and the other operations: $what", async ({ text, ending, refused, fact }) => {
    const file = `bad.${ending}`;
    const folder = temporaryFolder({ "toolrack.config.yaml": config, [file]: text() });
    const { code, output } = await run(["openapi", "plan", file, "--id", "bad"], { folder });
    expect(code).toBe(0);
    expect(output.replaceAll(/\s+/g, " ")).toMatch(fact);
    if (refused !== undefined) expect(output).toContain(refused);
    expect(output).toContain(`bad__${fineOperation}`);
    expect(output).not.toMatch(raw);
  });
});
