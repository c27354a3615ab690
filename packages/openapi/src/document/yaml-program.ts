import type * as Yaml from "yaml";
import type { ReadLimits } from "./read-limits.ts";

/** What a text holds, or why it cannot be read. Plain data, which can be sent from one thread to another. */
export type TextRead = { readonly root: unknown; readonly warnings: readonly string[] } | { readonly fact: string };

/**
 * Reads a YAML text by the core schema, with limits on aliases and depth, and tells keys that occur twice in one mapping. No fact quotes the text: a
 * wrong file may hold a secret. It is carried into another thread as text, so it may use nothing but its parameters and what every thread has.
 */
export function readYamlProgram(yaml: typeof Yaml, text: string, limits: ReadLimits): TextRead {
  const lines = new yaml.LineCounter();
  try {
    // The parser's own check of keys compares each one with all others.
    const composer = new yaml.Composer({
      version: "1.2",
      schema: "core",
      merge: true,
      uniqueKeys: false,
      lineCounter: lines,
      prettyErrors: false,
    });
    const documents = composer.compose(tokens(), true, text.length);
    const read = documents.next().value as Yaml.Document.Parsed; // there is one, also for an empty text
    const [fatal] = read.errors;
    if (fatal !== undefined)
      return { fact: `is not valid YAML at ${placeOf(fatal.pos[0])} (${fatal.code.toLowerCase().replaceAll("_", " ")})` };
    const second = documents.next();
    if (second.done !== true) return { fact: `is not valid YAML at ${placeOf(second.value.range[0])} (multiple docs)` };
    if (hasDeepKey(read.contents)) return { fact: limits.tooDeepKey };
    const twice = keysTwice(read.contents);
    const warnings = twice
      .slice(0, limits.keysTwice)
      .map((at) => `A key occurs twice in one object, at ${placeOf(at)}: the last one counts.`);
    if (twice.length > limits.keysTwice) warnings.push(limits.moreKeysTwice);
    return { root: read.toJS({ maxAliasCount: 100 }) as unknown, warnings };
  } catch (error) {
    if (error instanceof RangeError) return { fact: limits.tooDeep };
    return {
      fact:
        error instanceof ReferenceError
          ? "repeats too much by aliases. Write out what they stand for, or convert it to JSON"
          : "cannot be read as YAML",
    };
  }

  /** What lies open while the text is parsed is its depth: whatever is too deep is given up there, before anything that calls itself sees it. */
  function* tokens(): Generator<Yaml.CST.Token> {
    const parser = new yaml.Parser(lines.addNewLine);
    lines.addNewLine(0);
    for (const lexeme of new yaml.Lexer().lex(text)) {
      yield* parser.next(lexeme);
      // The document itself is no level, nor is a text in it.
      const top = parser.stack.at(-1);
      const levels = parser.stack.length - (top !== undefined && "items" in top ? 1 : 2);
      if (levels > limits.levels) throw new RangeError(limits.tooDeep);
    }
    yield* parser.end();
  }

  /** Keys are written as text, with all keys in them. */
  function hasDeepKey(contents: unknown): boolean {
    const waiting: (readonly [node: unknown, keys: number])[] = [[contents, 0]];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const [node, keys] = next;
      if (keys > limits.keyLevels) return true;
      if (yaml.isPair(node)) waiting.push([node.key, yaml.isCollection(node.key) ? keys + 1 : keys], [node.value, keys]);
      else if (yaml.isCollection(node)) for (const item of node.items) waiting.push([item, keys]);
    }
    return false;
  }

  function placeOf(at: number): string {
    const { line, col } = lines.linePos(at);
    return `line ${line}, column ${col}`;
  }

  function keysTwice(contents: unknown): readonly number[] {
    const found: number[] = [];
    const waiting: unknown[] = [contents];
    while (waiting.length > 0) {
      const node = waiting.pop();
      if (yaml.isPair(node)) waiting.push(node.key, node.value);
      else if (yaml.isCollection(node)) for (const item of node.items) waiting.push(item);
      if (!yaml.isMap(node)) continue;
      const keys = new Set<string>();
      for (const { key } of node.items) {
        if (!yaml.isScalar(key) || key.value === "<<") continue;
        const name = String(key.value);
        if (keys.has(name)) found.push(key.range?.[0] ?? 0);
        keys.add(name);
      }
    }
    return found.sort((a, b) => a - b);
  }
}
