import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readBlocks, readSnippet } from "./blocks.mjs";
import { builtExample, runExample } from "./run-example.mjs";

const howTo = 'Put "<!-- from: path/to/file.ts#region -->" above it, or "<!-- shell -->" above commands.';

/**
 * Compares the code blocks of a page with where they come from: `{ text, findings }`, each finding `{ line, sentence }`.
 * With `write`, `text` is the page with the blocks that come from files brought up to date. `printed` keeps what examples print.
 */
export async function checkBlocks(root, markdown, { write = false, printed = new Map() } = {}) {
  const lines = markdown.split("\n");
  const findings = [];
  // From the last block to the first, so that replacing one does not move those still to come.
  for (const block of readBlocks(markdown).reverse()) {
    const { sentence, snippet } = await checkBlock(root, block, printed);
    if (snippet !== undefined && write) lines.splice(block.first, block.last - block.first, ...indented(snippet, block.indent));
    else if (sentence !== undefined) findings.unshift({ line: block.line, sentence });
    for (const from of unnamedPackages(root, block, markdown)) findings.unshift({ line: block.line, sentence: from });
  }
  return { text: lines.join("\n"), findings };
}

function indented(text, indent) {
  return text.split("\n").map((line) => (line === "" ? line : indent + line));
}

/** Answers a `sentence` when the block is wrong, and the `snippet` that belongs there when that is known. */
async function checkBlock(root, { language, text, mark }, printed) {
  if (mark === undefined) return language === undefined ? {} : { sentence: `A ${language} block that comes from nowhere. ${howTo}` };
  if (mark.kind === "shell") return language === "sh" ? {} : { sentence: "Only a sh block may be marked as shell." };
  if (mark.path === undefined) return { sentence: `The mark names no path. ${howTo}` };
  return mark.kind === "from" ? checkSnippet(root, text, mark) : checkOutput(root, text, mark.path, printed);
}

function checkSnippet(root, text, { path, region }) {
  const file = join(root, path);
  if (!existsSync(file)) return { sentence: `${path} does not exist.` };
  const snippet = readSnippet(readFileSync(file, "utf8"), region);
  if (snippet === undefined) return { sentence: `${path} has no region "${region}" that begins and ends.` };
  return snippet === text ? {} : { snippet, sentence: `The block differs from ${path}${region ? `#${region}` : ""}. Run npm run docs.` };
}

/** A reader who copies a block has to learn on this page which package its functions come from. */
function unnamedPackages(root, { text, mark }, markdown) {
  const file = mark?.kind === "from" && mark.path !== undefined ? join(root, mark.path) : undefined;
  if (file === undefined || !existsSync(file)) return [];
  const imports = readFileSync(file, "utf8").matchAll(/^import \{([^}]+)\} from "(@toolrack\/[^"]+)";$/gm);
  return [...imports].flatMap(([, names, from]) => {
    if (new RegExp(`["\`]${from}["\`]`).test(markdown) || markdown.startsWith(`# ${from}\n`)) return [];
    const used = names.split(",").map((name) => name.trim().split(" as ").at(-1));
    const first = used.find((name) => !name.startsWith("type ") && new RegExp(`\\b${name}\\(`).test(text));
    return first === undefined ? [] : [`The block calls ${first}, but the page does not say that it is imported from ${from}.`];
  });
}

async function checkOutput(root, text, path, printed) {
  if (!existsSync(builtExample(root, path)))
    return { sentence: `${path} cannot be run: there is no ${path}/index.ts, or it is not built.` };
  const { code, output } = await runExample(root, path, printed);
  if (code !== 0) return { sentence: `${path} ended with ${code} instead of printing this.` };
  const trimmed = (from) =>
    from
      .split("\n")
      .map((line) => line.trimEnd())
      .join("\n");
  return trimmed(output).includes(trimmed(text).trim()) ? {} : { sentence: `${path} does not print this. Run it and copy what it prints.` };
}
