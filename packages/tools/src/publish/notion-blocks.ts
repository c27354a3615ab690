/** A block of a Notion page. */
export type NotionBlock = { readonly object: "block"; readonly type: string } & Readonly<Record<string, unknown>>;

/** Markdown as Notion's blocks: headings, lists, quotes, code, rules and paragraphs; emphasis and links inside a line stay as they are written. */
export function toNotionBlocks(markdown: string): readonly NotionBlock[] {
  const blocks: NotionBlock[] = [];
  let paragraph: string[] = [];
  const endParagraph = (): void => {
    if (paragraph.length > 0) blocks.push(block("paragraph", paragraph.join("\n")));
    paragraph = [];
  };
  // Every line break: "." stops at each of them, and a pattern that does not reach the end of a long line tries again from all of its blanks.
  const lines = markdown.split(/\r\n?|[\n\u2028\u2029]/);
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!;
    const fence = /^\s{0,3}(```+|~~~+)\s*([\w+#.-]*)/.exec(line);
    if (fence !== null) {
      endParagraph();
      const code: string[] = [];
      while (++at < lines.length && !lines[at]!.trimStart().startsWith(fence[1]!)) code.push(lines[at]!);
      blocks.push(block("code", code.join("\n"), { language: languageOf(fence[2]!) }));
      continue;
    }
    const single = readLine(line);
    if (single === undefined && line.trim() !== "") {
      paragraph.push(line.trim());
      continue;
    }
    endParagraph();
    if (single !== undefined) blocks.push(single);
  }
  endParagraph();
  return blocks;
}

/** A heading, an item of a list, a quote or a rule. */
function readLine(line: string): NotionBlock | undefined {
  const heading = /^\s{0,3}(#{1,6})\s+(.+)$/.exec(line);
  if (heading !== null) return block(`heading_${Math.min(3, heading[1]!.length)}`, heading[2]!.replace(/\s#+\s*$/, ""));
  if (/^\s{0,3}(?:-\s?){3,}$|^\s{0,3}(?:\*\s?){3,}$|^\s{0,3}(?:_\s?){3,}$/.test(line))
    return { object: "block", type: "divider", divider: {} };
  const task = /^\s*[-*+]\s+\[([ xX])\]\s+(.+)$/.exec(line);
  if (task !== null) return block("to_do", task[2]!, { checked: task[1] !== " " });
  const bullet = /^\s*[-*+]\s+(.+)$/.exec(line);
  if (bullet !== null) return block("bulleted_list_item", bullet[1]!);
  const numbered = /^\s*\d{1,9}[.)]\s+(.+)$/.exec(line);
  if (numbered !== null) return block("numbered_list_item", numbered[1]!);
  const quote = /^\s{0,3}>\s?(.*)$/.exec(line);
  return quote === null ? undefined : block("quote", quote[1]!);
}

export function block(type: string, text: string, more: object = {}): NotionBlock {
  return { object: "block", type, [type]: { rich_text: toRichText(text), ...more } };
}

/** Notion takes at most 2,000 characters in a piece of text, and 100 pieces; a longer text is cut. */
export function toRichText(text: string): readonly object[] {
  const pieces: object[] = [];
  for (let at = 0; at < text.length && pieces.length < 100;) {
    let end = Math.min(text.length, at + 2_000);
    if (end < text.length && /[\ud800-\udbff]/.test(text[end - 1]!)) end -= 1;
    pieces.push({ type: "text", text: { content: text.slice(at, end) } });
    at = end;
  }
  return pieces;
}

/** Notion refuses a language that it does not know. */
function languageOf(name: string): string {
  const known = languages.get(name.toLowerCase());
  return known ?? "plain text";
}

const languages: ReadonlyMap<string, string> = new Map(
  Object.entries({
    bash: "bash",
    sh: "shell",
    shell: "shell",
    c: "c",
    "c++": "c++",
    cpp: "c++",
    "c#": "c#",
    css: "css",
    diff: "diff",
    docker: "docker",
    dockerfile: "docker",
    go: "go",
    graphql: "graphql",
    html: "html",
    java: "java",
    javascript: "javascript",
    js: "javascript",
    json: "json",
    kotlin: "kotlin",
    markdown: "markdown",
    md: "markdown",
    php: "php",
    python: "python",
    py: "python",
    ruby: "ruby",
    rust: "rust",
    rs: "rust",
    sql: "sql",
    swift: "swift",
    toml: "toml",
    ts: "typescript",
    tsx: "typescript",
    typescript: "typescript",
    xml: "xml",
    yaml: "yaml",
    yml: "yaml",
  }),
);
