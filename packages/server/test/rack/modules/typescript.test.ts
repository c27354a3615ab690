import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bundleProgram, type ChildServer, removeProgram, startProgram } from "@toolrack/testkit/child-server";
import { type FolderContent, temporaryFolder } from "@toolrack/testkit/folders";
import { until } from "@toolrack/testkit/until";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

let program = "";
beforeAll(async () => {
  program = await bundleProgram(new URL("_module-program.ts", import.meta.url));
});
afterAll(() => removeProgram(program));

interface Line {
  readonly level?: string;
  readonly message?: string;
  readonly answer?: unknown;
  readonly sources?: readonly { readonly id: string; readonly state: string; readonly error?: string; readonly tools: readonly string[] }[];
}

/** A rack in plain Node with these modules. */
class ModuleRack {
  readonly #child: ChildServer;
  constructor(folder: string, modules: readonly string[]) {
    this.#child = startProgram(program, folder, ...modules);
  }
  get lines(): readonly Line[] {
    return this.#child.lines as readonly Line[];
  }
  async sources(): Promise<NonNullable<Line["sources"]>> {
    await until(() => this.lines.some(({ sources }) => sources !== undefined));
    return this.lines.find(({ sources }) => sources !== undefined)!.sources!;
  }
  async call(tool: string): Promise<unknown> {
    const before = this.#answers().length;
    this.#child.tell(tool);
    await until(() => this.#answers().length > before);
    return this.#answers().at(-1)!.answer;
  }
  async logged(text: string): Promise<Line> {
    const find = (): Line | undefined => this.lines.find(({ message }) => message?.includes(text));
    await until(() => find() !== undefined, `Nothing was logged about: ${text}`);
    return find()!;
  }
  #answers(): readonly Line[] {
    return this.lines.filter(({ answer }) => answer !== undefined);
  }
}

async function open(files: FolderContent, ...modules: readonly string[]): Promise<{ readonly folder: string; readonly rack: ModuleRack }> {
  const folder = temporaryFolder(files);
  const rack = new ModuleRack(folder, modules);
  await rack.sources();
  return { folder, rack };
}

const toolText = (answer: string, name = "lamp"): string =>
  `{ name: "${name}", description: "Answers.", inputSchema: { type: "object" }, handler: () => ${answer} }`;

describe("a module in TypeScript", () => {
  it("is loaded with enums, parameter properties, imports of types, and ./a.js for ./a.ts, without a tsconfig or a package.json", async () => {
    const { rack } = await open(
      {
        "tools.ts": [
          'import { Colour } from "./colour.js";',
          'import type { Shape } from "./shape.ts";',
          'import { Size, sizeOf } from "./shape";',
          "class Lamp {",
          "  constructor(private readonly colour: Colour, readonly size?: Size) {}",
          "  get text(): string { return `${Colour[this.colour]} ${sizeOf(<Shape>{ size: 3 })}`; }",
          "}",
          `export default [${toolText("new Lamp(Colour.Green).text")}] satisfies unknown[];`,
        ],
        "colour.ts": "export enum Colour { Red, Green }\n",
        "shape.ts":
          "export interface Size { size: number }\nexport type Shape = Size;\nexport const sizeOf = ({ size }: Size): number => size;\n",
      },
      "./tools.ts",
    );
    expect(await rack.sources()).toMatchObject([{ id: "module:./tools.ts", state: "ready", tools: ["lamp"] }]);
    expect(await rack.call("lamp")).toBe("Green 3");
  });

  it("that fails has the file, the line as it was written, and the cause", async () => {
    const types = ["interface Long {", "  a: string;", "}", ""];
    const { rack } = await open(
      {
        "throws.ts": [...types, 'const key: string | undefined = undefined;\nif (!key) throw new Error("no key");'],
        "syntax.ts": [...types, "const a: = 1;"],
        "decorated.ts": [
          ...types,
          "const log = (a: unknown): void => void a;",
          "class A {",
          "  @log hi(): void {}",
          "}",
          "export default A;",
        ],
        "imports.ts": [...types, 'import { gone } from "./empty.ts";', "export default gone;"],
        "file.ts": [...types, 'import { gone } from "./nowhere.ts";', "export default gone;"],
        "package.ts": [...types, 'import gone from "no-such-package";', "export default gone;"],
        "helper.ts": ['import "./decorated.ts";'],
        "empty.ts": "export {};\n",
      },
      ...["throws", "syntax", "decorated", "imports", "file", "package", "helper"].map((name) => `./${name}.ts`),
    );
    const errors = (await rack.sources()).map(({ error = "" }) => error.replace(/^The module ".*?" could not be loaded: /, ""));
    expect(errors).toEqual([
      "throws.ts:6:17 no key",
      expect.stringMatching(/^syntax\.ts:5:10 SyntaxError: Unexpected token `=`/),
      expect.stringMatching(/^decorated\.ts:7:3 SyntaxError: decorators are not part of JavaScript yet\./),
      expect.stringMatching(/^imports\.ts:5 SyntaxError: The requested module '\.\/empty\.ts' does not provide an export named 'gone'/),
      expect.stringMatching(/^file\.ts:5 Cannot find module '.*nowhere\.ts' imported from/),
      expect.stringMatching(/^package\.ts:5 Cannot find package 'no-such-package' imported from/),
      expect.stringMatching(/^decorated\.ts:7:3 SyntaxError: decorators/),
    ]);
  });

  it("is refused with what to do where Node cannot read it, as a .cts file", async () => {
    const { rack } = await open(
      { "tools.mjs": 'export { default } from "./other.cts";\n', "other.cts": "export default [];\n" },
      "./tools.mjs",
    );
    expect((await rack.sources())[0]?.error).toMatch(
      /Unknown file extension "\.cts" .*name a \.ts file in tools\.modules, or compile this one\.$/,
    );
  });
});

describe("modules in development", () => {
  it("are loaded again when a file of theirs changes; a mistake keeps the last tools and is told with its place, until it is mended", async () => {
    const { folder, rack } = await open(
      {
        "tools.ts": `import { word } from "./lib/word.js";\nexport default [${toolText("word")}];\n`,
        "lib/word.ts": 'export const word: string = "one";\n',
        "other.mjs": `import { count } from "./state.mjs";\nexport default ${toolText("String(count)", "count")};\n`,
        "state.mjs": "export const count = 1;\n",
        "old.cjs": `const text = require("./text.cjs");\nmodule.exports = [${toolText("text", "old")}];\n`,
        "text.cjs": 'module.exports = "cjs one";\n',
      },
      "./tools.ts",
      "./other.mjs",
      "./old.cjs",
    );
    expect(await rack.call("lamp")).toBe("one");
    writeFileSync(join(folder, "lib/word.ts"), 'export const word: string = "two";\n');
    await rack.logged("lib/word.ts changed: ./tools.ts is loaded again, with 1 tool.");
    expect(await rack.call("lamp")).toBe("two");

    writeFileSync(join(folder, "lib/word.ts"), "\nexport const word: string = ;\n");
    const { level, message } = await rack.logged("lib/word.ts:2:");
    expect([level, message]).toEqual([
      "error",
      expect.stringMatching(/"\.\/tools\.ts" could not be loaded: lib\/word\.ts:2:29 SyntaxError/),
    ]);
    expect(message).toContain("1 tool of the last version that could be loaded stays in use.");
    expect(await rack.call("lamp")).toBe("two");

    writeFileSync(
      join(folder, "tools.ts"),
      `import { word } from "./more.ts";\nexport default [${toolText("word")}, ${toolText('"new"', "new")}];\n`,
    );
    await rack.logged("more.ts' imported from");
    writeFileSync(join(folder, "more.ts"), 'export const word = "three";\n');
    await rack.logged("more.ts changed: ./tools.ts is loaded again, with 2 tools.");
    expect([await rack.call("lamp"), await rack.call("new")]).toEqual(["three", "new"]);

    writeFileSync(join(folder, "state.mjs"), "export const count = 2;\n");
    await rack.logged("state.mjs changed: ./other.mjs is loaded again, with 1 tool.");
    expect(await rack.call("count")).toBe("2");
    writeFileSync(join(folder, "text.cjs"), 'module.exports = "cjs two";\n');
    await rack.logged("text.cjs changed: ./old.cjs is loaded again, with 1 tool.");
    expect(await rack.call("old")).toBe("cjs two");

    rmSync(join(folder, "other.mjs"));
    await rack.logged("there is no file other.mjs.");
    expect(await rack.call("count")).toBe("2");
  });
});
