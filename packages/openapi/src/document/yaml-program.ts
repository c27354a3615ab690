import type * as Yaml from "yaml";

/** What a text holds, or why it cannot be read. Plain data, which can be sent from one thread to another. */
export type TextRead = { readonly root: unknown; readonly warnings: readonly string[] } | { readonly fact: string };

/**
 * Reads a YAML text by the core schema, with a limit on aliases, and tells keys that occur twice in one mapping. No fact quotes the text: a wrong file may
 * hold a secret. It is carried into another thread as text, so it may use nothing but its parameters and what every thread has.
 */
export function readYamlProgram(yaml: typeof Yaml, text: string): TextRead {
  const lines = new yaml.LineCounter();
  try {
    // The parser's own check of keys compares each one with all others.
    const read = yaml.parseDocument(text, {
      version: "1.2",
      schema: "core",
      merge: true,
      uniqueKeys: false,
      lineCounter: lines,
      prettyErrors: false,
    });
    const [fatal] = read.errors;
    if (fatal !== undefined)
      return { fact: `is not valid YAML at ${placeOf(fatal.pos[0])} (${fatal.code.toLowerCase().replaceAll("_", " ")})` };
    const warnings = keysTwice(read.contents).map((at) => `A key occurs twice in one object, at ${placeOf(at)}: the last one counts.`);
    return { root: read.toJS({ maxAliasCount: 100 }) as unknown, warnings };
  } catch (error) {
    if (error instanceof RangeError) return { fact: "is nested too deeply. Use references in place of depth" };
    return {
      fact:
        error instanceof ReferenceError
          ? "repeats too much by aliases. Write out what they stand for, or convert it to JSON"
          : "cannot be read as YAML",
    };
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
