/** Languages whose blocks must come from a file; the names under which a reader may write them. */
const checkedLanguages = {
  ts: "ts",
  typescript: "ts",
  js: "js",
  javascript: "js",
  mjs: "js",
  json: "json",
  sh: "sh",
  bash: "sh",
  shell: "sh",
};

/**
 * The fenced code blocks of a Markdown text, in order: `{ language, line, first, last, indent, text, mark }`.
 * `line` is that of the opening fence, counted from 1; `first` and `last` are the slice of lines between the fences;
 * `indent` is how far the block stands inside a list; `mark` is the comment on the nearest line above that is not blank.
 */
export function readBlocks(markdown) {
  const lines = markdown.split("\n");
  const blocks = [];
  for (let index = 0; index < lines.length; index++) {
    const [, indent, fence, word] = /^(\s*)(`{3,}|~{3,})\s*([\w-]*)/.exec(lines[index]) ?? [];
    if (fence === undefined) continue;
    const first = index + 1;
    const isEnd = (line) => line.trim().startsWith(fence) && line.trim().replaceAll(fence[0], "") === "";
    let last = first;
    while (last < lines.length && !isEnd(lines[last])) last++;
    const text = lines
      .slice(first, last)
      .map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line))
      .join("\n");
    blocks.push({ language: checkedLanguages[word.toLowerCase()], line: first, first, last, indent, text, mark: readMark(lines, index) });
    index = last;
  }
  return blocks;
}

/** "<!-- from: examples/a.ts#b -->" → { kind: "from", path: "examples/a.ts", region: "b" } */
function readMark(lines, fence) {
  const above = lines.slice(0, fence).findLast((line) => line.trim() !== "") ?? "";
  const [, kind, path, region] = /^\s*<!--\s*(from|output|shell)(?::\s*([^\s#]+)(?:#(\S+))?)?\s*-->\s*$/.exec(above) ?? [];
  return kind === undefined ? undefined : { kind, path, region };
}

const regionStart = /^\s*(?:\/\/|#) #region\s+(\S+)\s*$/;
const regionEnd = /^\s*(?:\/\/|#) #endregion\b/;

/** The text of a file, or of one region of it, as a block shows it; undefined when there is no such region. */
export function readSnippet(source, region) {
  const lines = region === undefined ? source.split("\n") : regionLines(source.split("\n"), region);
  if (lines === undefined) return undefined;
  return dedent(lines.filter((line) => !regionStart.test(line) && !regionEnd.test(line)))
    .join("\n")
    .trimEnd();
}

function regionLines(lines, name) {
  const start = lines.findIndex((line) => regionStart.exec(line)?.[1] === name);
  if (start === -1) return undefined;
  let depth = 1;
  const length = lines.slice(start + 1).findIndex((line) => {
    if (regionStart.test(line)) depth++;
    else if (regionEnd.test(line)) depth--;
    return depth === 0;
  });
  return length === -1 ? undefined : lines.slice(start + 1, start + 1 + length);
}

function dedent(lines) {
  const indents = lines.filter((line) => line.trim() !== "").map((line) => line.length - line.trimStart().length);
  const indent = Math.min(...indents, 80);
  return lines.map((line) => line.slice(indent));
}
