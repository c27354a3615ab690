/** What is known about a language, line by line: enough to find one's way, not a parser. */
export interface Language {
  readonly name: string;
  readonly endings: readonly string[];
  /** What defines something; the group is its name. */
  readonly definitions: readonly (readonly [kind: string, pattern: RegExp])[];
  /** What brings in something; the group is what. */
  readonly imports: readonly RegExp[];
  /** For a block of imports: its first line, its last line, and the pattern of the lines inside. */
  readonly importBlock?: { readonly start: RegExp; readonly end: RegExp; readonly item: RegExp };
}

const modifiers = String.raw`(?:(?:export|default|declare|public|private|protected|internal|static|final|abstract|async|override|readonly|sealed|open|data|virtual|inline|unsafe|extern|const|pub(?:\([a-z]+\))?|get|set)\s+)*`;
const after = (text: string): RegExp => new RegExp(String.raw`^\s*${modifiers}${text}`);
const name = String.raw`([A-Za-z_$][\w$]*)`;

export const languages: readonly Language[] = [
  {
    name: "go",
    endings: ["go"],
    definitions: [
      ["method", /^func\s+\([^)]*\)\s*(\w+)/],
      ["function", /^func\s+(\w+)/],
      ["type", /^type\s+(\w+)/],
      ["variable", /^(?:var|const)\s+(\w+)/],
    ],
    imports: [/^import\s+(?:[\w.]+\s+)?"([^"]+)"/],
    importBlock: { start: /^import\s*\(/, end: /^\)/, item: /^\s*(?:[\w.]+\s+)?"([^"]+)"/ },
  },
  {
    name: "typescript",
    endings: ["ts", "tsx", "mts", "cts", "js", "jsx", "mjs", "cjs"],
    definitions: [
      ["function", after(String.raw`function\s*\*?\s*${name}`)],
      ["class", after(String.raw`class\s+${name}`)],
      ["interface", after(String.raw`interface\s+${name}`)],
      ["type", after(String.raw`type\s+${name}\s*(?:<|=)`)],
      ["enum", after(String.raw`enum\s+${name}`)],
      ["variable", new RegExp(String.raw`^(?:export\s+)?(?:declare\s+)?(?:const|let|var)\s+${name}`)],
      [
        "method",
        new RegExp(
          String.raw`^\s+${modifiers}(?!(?:if|for|while|switch|catch|function|return|with)\b)${name}\s*\([^)]*\)\s*(?::[^{]*)?\{\s*$`,
        ),
      ],
    ],
    imports: [
      /^\s*(?:import|export|\})[^"']*\bfrom\s+["']([^"']+)["']/,
      /^\s*import\s+["']([^"']+)["']/,
      /\b(?:require|import)\(\s*["']([^"']+)["']\s*\)/,
    ],
  },
  {
    name: "python",
    endings: ["py", "pyi"],
    definitions: [
      ["class", /^\s*class\s+(\w+)/],
      ["function", /^\s*(?:async\s+)?def\s+(\w+)/],
      ["variable", /^([A-Za-z_]\w*)\s*(?::[^=]+)?=(?!=)/],
    ],
    imports: [/^\s*from\s+([\w.]+)\s+import\b/, /^\s*import\s+([\w.]+)/],
  },
  {
    name: "rust",
    endings: ["rs"],
    definitions: [
      ["function", after(String.raw`fn\s+(\w+)`)],
      ["struct", after(String.raw`struct\s+(\w+)`)],
      ["enum", after(String.raw`enum\s+(\w+)`)],
      ["trait", after(String.raw`trait\s+(\w+)`)],
      ["type", after(String.raw`type\s+(\w+)`)],
      ["module", after(String.raw`mod\s+(\w+)`)],
      ["macro", /^\s*macro_rules!\s+(\w+)/],
    ],
    imports: [/^\s*(?:pub\s+)?use\s+([\w:]+)/, /^\s*extern\s+crate\s+(\w+)/],
  },
  {
    name: "java",
    endings: ["java", "kt", "kts", "cs", "scala"],
    definitions: [
      ["class", after(String.raw`(?:class|record|object)\s+(\w+)`)],
      ["interface", after(String.raw`interface\s+(\w+)`)],
      ["enum", after(String.raw`enum\s+(?:class\s+)?(\w+)`)],
      ["function", after(String.raw`(?:fun|def)\s+(\w+)`)],
      [
        "method",
        /^\s+(?:(?:public|private|protected|static|final|abstract|synchronized|override|async|virtual)\s+)+[\w<>[\],.?]+\s+(\w+)\s*\(/,
      ],
    ],
    imports: [/^\s*import\s+(?:static\s+)?([\w.*]+)/, /^\s*using\s+(?:static\s+)?([\w.]+)\s*;/],
  },
  {
    name: "c",
    endings: ["c", "h", "cc", "cpp", "cxx", "hpp", "hh", "m"],
    definitions: [
      ["macro", /^\s*#\s*define\s+(\w+)/],
      ["struct", /^\s*(?:typedef\s+)?(?:struct|union|class|enum)(?:\s+class)?\s+(\w+)\s*(?:[:{]|$)/],
      ["function", /^(?!\s|#|return\b|else\b)(?:[A-Za-z_][\w:<>]*[\s*&]+){1,6}~?([A-Za-z_][\w:]*)\s*\([^;]*$/],
    ],
    imports: [/^\s*#\s*(?:include|import)\s*[<"]([^>"]+)[>"]/],
  },
  {
    name: "ruby",
    endings: ["rb", "rake"],
    definitions: [
      ["class", /^\s*class\s+([\w:]+)/],
      ["module", /^\s*module\s+([\w:]+)/],
      ["function", /^\s*def\s+(?:self\.)?(\w+[?!=]?)/],
    ],
    imports: [/^\s*(?:require|require_relative|load)\s*\(?\s*["']([^"']+)["']/],
  },
  {
    name: "php",
    endings: ["php"],
    definitions: [
      ["class", after(String.raw`(?:class|interface|trait|enum)\s+(\w+)`)],
      ["function", after(String.raw`function\s+&?(\w+)`)],
    ],
    imports: [/^\s*use\s+([\w\\]+)/, /\b(?:require|include)(?:_once)?\s*\(?\s*["']([^"']+)["']/],
  },
];

/** The names of a language in calls. */
const otherNames: Readonly<Record<string, string>> = {
  golang: "go",
  javascript: "typescript",
  js: "typescript",
  ts: "typescript",
  py: "python",
  rs: "rust",
  kotlin: "java",
  csharp: "java",
  "c#": "java",
  "c++": "c",
  cpp: "c",
};

export function languageNamed(wanted: string): Language | undefined {
  const folded = wanted.trim().toLowerCase();
  const known = Object.hasOwn(otherNames, folded) ? otherNames[folded] : folded;
  return languages.find((language) => language.name === known);
}

export function languageOf(path: string): Language | undefined {
  const ending = path.slice(path.lastIndexOf(".") + 1).toLowerCase();
  return languages.find(({ endings }) => endings.includes(ending));
}

/** One thing that a line defines. */
export interface Definition {
  readonly line: number;
  readonly kind: string;
  readonly name: string;
  readonly text: string;
}

/** Longer lines are not written by people. */
const maxLine = 500;

export function definitionsIn(language: Language, lines: readonly string[]): Definition[] {
  return lines.flatMap((line, index) => {
    const text = line.slice(0, maxLine);
    for (const [kind, pattern] of language.definitions) {
      const found = pattern.exec(text)?.[1];
      if (found !== undefined) return [{ line: index + 1, kind, name: found, text: text.trim() }];
    }
    return [];
  });
}

export interface Import {
  readonly line: number;
  readonly name: string;
}

export function importsIn(language: Language, lines: readonly string[]): Import[] {
  const found: Import[] = [];
  const block = language.importBlock;
  let inBlock = false;
  lines.forEach((line, index) => {
    const text = line.slice(0, maxLine);
    if (inBlock && block!.end.test(text)) inBlock = false;
    const patterns = inBlock ? [block!.item] : language.imports;
    const imported = patterns.map((pattern) => pattern.exec(text)?.[1]).find((one) => one !== undefined);
    if (imported !== undefined) found.push({ line: index + 1, name: imported });
    if (block?.start.test(text)) inBlock = true;
  });
  return found;
}
