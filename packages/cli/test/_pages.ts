/** What a page shows of a terminal: commands, and what the last of them prints. */
export interface ShellBlock {
  readonly lines: readonly ShellLine[];
  /** Lines that the block before has to have printed. */
  readonly prints: readonly string[];
}

export interface ShellLine {
  readonly text: string;
  readonly words: readonly string[];
  readonly isInBackground: boolean;
  /** "# exit 3: refused" → 3; nothing is said of a command that works. */
  readonly exit: number;
  /** "# status 403" → 403, of a request. */
  readonly status: number;
}

/** The blocks below `<!-- shell: run -->`, each with the block below the `<!-- prints -->` that follows it. */
export function readShellBlocks(markdown: string): readonly ShellBlock[] {
  const blocks: { lines: readonly ShellLine[]; prints: readonly string[] }[] = [];
  for (const [, mark, text = ""] of markdown.matchAll(/^<!-- (shell: run|prints) -->\n```(?:sh)?\n(.*?)\n```$/gms)) {
    if (mark === "prints") blocks.at(-1)!.prints = text.split("\n").map((line) => line.trim());
    else blocks.push({ lines: readLines(text), prints: [] });
  }
  return blocks;
}

function readLines(text: string): readonly ShellLine[] {
  const lines = text.replace(/\\\n\s*/g, "").split("\n");
  return lines.filter((line) => line.trim() !== "").map(readLine);
}

function readLine(text: string): ShellLine {
  const { words, comment } = readWords(text);
  const isInBackground = words.at(-1) === "&";
  const { exit, status } = /\bexit (?<exit>\d+)|\bstatus (?<status>\d+)/.exec(comment)?.groups ?? {};
  return {
    text: text.trim(),
    words: isInBackground ? words.slice(0, -1) : words,
    isInBackground,
    exit: Number(exit ?? 0),
    status: Number(status ?? 200),
  };
}

/** `call echo message="a b" # exit 3` → ["call", "echo", "message=a b"] and "exit 3" */
function readWords(text: string): { readonly words: readonly string[]; readonly comment: string } {
  const words: string[] = [];
  for (const [word] of text.matchAll(/#.*|(?:"[^"]*"|'[^']*'|[^\s"'#])+/g)) {
    if (word.startsWith("#")) return { words, comment: word.slice(1) };
    words.push(word.replace(/"([^"]*)"|'([^']*)'/g, (_, double: string | undefined, single: string | undefined) => double ?? single ?? ""));
  }
  return { words, comment: "" };
}
