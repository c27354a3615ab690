import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { describe, expect, it, vi } from "vitest";
import { commands } from "../src/commands.ts";
import { runProgram } from "../src/program.ts";

const root = join(import.meta.dirname, "../../..");

/** The pages that users read, and the READMEs of packages and of new projects. */
const pages = [
  "README.md",
  ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" }).map((file) => join("docs", file)),
  ...readdirSync(join(root, "packages")).flatMap((name) => [`packages/${name}/README.md`, `packages/${name}/template/README.md`]),
].filter((file) => file.endsWith(".md") && read(file) !== undefined);

describe("the commands that the documentation shows", () => {
  it("exist, with the options and arguments that they are shown with", async () => {
    for (const command of commands) {
      const spied = vi.spyOn(command, "run").mockResolvedValue("ok");
      afterThisTest(() => spied.mockRestore());
    }
    const wrong: string[] = [];
    for (const page of pages) {
      const text = read(page)!;
      for (const shown of inBlocks(text)) wrong.push(...(await faultsOf(page, shown)));
      // Running text may name a command without its arguments.
      for (const shown of inText(text))
        wrong.push(...(await faultsOf(page, shown)).filter((fault) => !/missing required argument|argument missing/.test(fault)));
    }
    expect(wrong).toEqual([]);
  });

  it("are noticed when they are wrong", async () => {
    expect(inBlocks("```sh\nFOO=1 npx toolrack keys crate anna | cat\ntoolrack list --everything  # all\n```\n")).toEqual([
      ["keys", "crate", "anna"],
      ["list", "--everything"],
    ]);
    expect(inText("Use `toolrack show <tool>`.")).toEqual([["show", "<tool>"]]);
    expect(await faultsOf("a page", ["list", "--everything"])).toEqual([expect.stringContaining("unknown option")]);
    expect(await faultsOf("a page", ["show"])).toEqual([expect.stringContaining("missing required argument")]);
  });
});

async function faultsOf(page: string, words: readonly string[]): Promise<string[]> {
  const said = await parse(words);
  return said === "" ? [] : [`${page}: toolrack ${words.join(" ")}: ${said}`];
}

/** What the command line says about words that it cannot parse; nothing if it can. */
async function parse(words: readonly string[]): Promise<string> {
  let said = "";
  const stream = { write: (text: string) => ((said += text), true), columns: 80 };
  const code = await runProgram(words, {
    output: stream,
    errors: stream,
    folder: root,
    environment: {},
    signal: new AbortController().signal,
    version: "0",
  } as Parameters<typeof runProgram>[1]);
  return code === 0 ? "" : said.trim();
}

/** The words after `toolrack` of each command in blocks of shell commands. */
function inBlocks(markdown: string): string[][] {
  const blocks = [...markdown.matchAll(/^ *```sh\n(.*?)^ *```/gms)].map(([, text]) => text!.replaceAll(/\\\n/g, " "));
  return blocks.flatMap((block) => block.split("\n")).flatMap(commandsOf);
}

/** The same of the commands that running text names. */
function inText(markdown: string): string[][] {
  const text = markdown.replaceAll(/^ *```.*?^ *```/gms, "");
  return [...text.matchAll(/`((?:npx )?toolrack [^`]+)`/g)].flatMap(([, shown]) => commandsOf(shown!.replaceAll(/\s+/g, " ")));
}

function commandsOf(line: string): string[][] {
  return split(line).flatMap((words) => {
    const start = words.findIndex((word) => word === "toolrack");
    const before = words.slice(0, Math.max(start, 0));
    if (start === -1 || !before.every((word) => word === "npx" || /^[A-Z_]+=/.test(word))) return [];
    return [words.slice(start + 1)];
  });
}

/** A line as a shell reads it: commands apart, quotes gone, without comments and redirections. */
function split(line: string): string[][] {
  const found: string[][] = [[]];
  const tokens = line.matchAll(/#.*|\|\||&&|[|;&]|[<>]\s+\S+|(?:"[^"]*"|'[^']*'|\$\([^)]*\)|<[^<>]*>|\[[^[\]]*\]|[^\s"'|;&<>])+/g);
  for (const [token] of tokens) {
    if (token.startsWith("#") || /^[<>]\s/.test(token)) continue;
    if (/^[|;&]/.test(token)) found.push([]);
    else found.at(-1)!.push(token.replaceAll(/["']/g, ""));
  }
  return found;
}

function read(file: string): string | undefined {
  try {
    return readFileSync(join(root, file), "utf8");
  } catch {
    return undefined;
  }
}
