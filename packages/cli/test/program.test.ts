import { temporaryFolder } from "@toolrack/testkit/folders";
import { describe, expect, it } from "vitest";
import { run } from "./_run.ts";
import { Refusal, runScripted } from "./_scripted.ts";

describe("the program", () => {
  it("explains its exit codes in its help", async () => {
    const { code, output } = await run(["--help"], { folder: temporaryFolder() });
    expect(code).toBe(0);
    expect(output.slice(output.indexOf("Exit codes:")).split("\n").slice(0, 7)).toEqual([
      "Exit codes:",
      "  0  Success.",
      "  1  A call failed, or a check found something.",
      "  2  The command was not understood, or the configuration is wrong.",
      "  3  Refused: by a policy, a missing role, a missing sign-in, or an approval that does not match.",
      "  4  There is no such tool, record, call or key.",
      "  5  The server or the store cannot be reached.",
    ]);
  });

  it("prints an expected failure as a sentence or as the problem of the server, and ends with its code", async () => {
    const problem = { status: 403, code: "ROLE_MISSING", detail: "You may\u001b[2J not." };
    const script = { "GET /usage": new Refusal(403, problem) };
    expect(await runScripted(["stats"], script)).toMatchObject({ code: 3, output: "", errors: "You may not.\n" });
    const forPrograms = await runScripted(["stats", "--json"], script);
    expect([forPrograms.code, forPrograms.errors, forPrograms.json()]).toEqual([3, "", { error: problem }]);
  });

  it("prints with --verbose where an unexpected failure came from, and ends with 1", async () => {
    const { code, output, errors } = await runScripted(["stats", "--verbose"], { "GET /usage": {} });
    expect([code, output]).toEqual([1, ""]);
    expect(errors).toMatch(/^TypeError: .*\n +at /);
  });

  it("says nothing more once it is told to end", async () => {
    const script = { "GET /usage": new Refusal(500, { detail: "Broken." }) };
    expect(await runScripted(["stats"], script, { signal: AbortSignal.abort() })).toMatchObject({ code: 1, output: "", errors: "" });
  });

  it("ends with 2 for a word or an address that it does not know, and prints its version", async () => {
    expect(await run(["sttas"], { folder: temporaryFolder() })).toMatchObject({ code: 2, errors: expect.stringContaining("stats") });
    expect(await run(["--url", "ftp://x", "stats"], { folder: temporaryFolder() })).toMatchObject({
      code: 2,
      errors: expect.stringContaining('"ftp://x" is not the address of a server.'),
    });
    expect(await run(["--version"], { folder: temporaryFolder() })).toMatchObject({ code: 0, output: "0.1.0\n" });
  });
});
