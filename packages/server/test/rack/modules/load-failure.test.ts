import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { describe, expect, it } from "vitest";
import { loadFailure } from "../../../src/rack/modules/load-failure.ts";

/** The failure of a file that plain Node imports: the test runner would read it in its own way. */
function failureOf(files: Readonly<Record<string, string>>, main: string): Promise<string> {
  const folder = temporaryFolder(files);
  const url = pathToFileURL(join(folder, main));
  url.searchParams.set("changed", "1.5");
  const script = `import(${JSON.stringify(url.href)}).catch(({ name, message, stack, code }) => console.log(JSON.stringify({ name, message, stack, code })))`;
  const { stdout } = spawnSync(process.execPath, ["-e", script], { encoding: "utf8" });
  return loadFailure(Object.assign(new Error(), JSON.parse(stdout)), join(folder, main), folder);
}

describe("the failure of a module", () => {
  it.each([
    ["a syntax error", "a.mjs", "export const a = 1;\nexport default [;\n", "a.mjs:2 SyntaxError: Unexpected token ';'"],
    ["an error that it throws", "a.mjs", '\n\nthrow new Error("no key");\n', "a.mjs:3:7 no key"],
    [
      "an error that it throws in a function",
      "a.mjs",
      'function f() {\n  throw new TypeError("no key");\n}\nf();\n',
      "a.mjs:2:9 TypeError: no key",
    ],
    ["an error in CommonJS", "a.cjs", "\nmissing();\n", "a.cjs:2:1 ReferenceError: missing is not defined"],
    ["an error in a file that it imports", "a.mjs", 'import "./lib/helper.mjs";\n', "lib/helper.mjs:2 SyntaxError: Unexpected token ';'"],
    ["a name that the other file does not export", "a.mjs", '\nimport { gone } from "./empty.mjs";\n', /^a\.mjs:2 SyntaxError: .*gone/],
    ["a folder with a blank", "my tools/a.mjs", "missing();\n", "my tools/a.mjs:1:1 ReferenceError: missing is not defined"],
  ])("has the file, the line and the cause: %s", async (_, main, text, expected) => {
    const failure = await failureOf(
      { [main]: text, "lib/helper.mjs": 'import "../empty.mjs";\nexport const a = ;\n', "empty.mjs": "export {};\n" },
      main,
    );
    if (typeof expected === "string") expect(failure).toBe(expected);
    else expect(failure).toMatch(expected);
  });

  it("has the cause alone where there is no position, and the position of the module where others threw", async () => {
    expect(await loadFailure(new Error("first line\nsecond line"), "/a/b.mjs", "/nowhere")).toMatch(/ first line$/);
    expect(await loadFailure(Object.assign(new Error("odd"), { stack: "" }), "/a/b.mjs", "/a")).toBe("odd");
    expect(await loadFailure("a text", "/a/b.mjs", "/a")).toBe("a text");
    const stack = "Error: bad\n    at define (file:///lib/module.js:9:1)\n    at file:///a/b.mjs?changed=1.5:4:2";
    expect(await loadFailure(Object.assign(new Error("bad"), { stack }), "/a/b.mjs", "/a")).toBe("b.mjs:4:2 bad");
    const far = "Error: bad\n    at define (file:///a/node_modules/lib/module.js:9:1)\n    at file:///a/lib/helper.mjs:4:2";
    expect(await loadFailure(Object.assign(new Error("bad"), { stack: far }), "/a/b.mjs", "/a")).toBe("lib/helper.mjs:4:2 bad");
    expect((await loadFailure(new Error("x".repeat(5_000)), "/a/b.mjs", "/a")).length).toBeLessThan(2_000);
  });
});
