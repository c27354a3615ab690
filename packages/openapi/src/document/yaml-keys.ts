import { isCollection, isMap, isPair, isScalar, type LineCounter } from "yaml";

/** A warning for each key of a YAML document that occurs twice in one mapping. The parser's own check compares each key with all others. */
export function findDuplicateYamlKeys(contents: unknown, lines: LineCounter): readonly string[] {
  const found: number[] = [];
  const waiting: unknown[] = [contents];
  while (waiting.length > 0) {
    const node = waiting.pop();
    if (isPair(node)) waiting.push(node.key, node.value);
    else if (isCollection(node)) for (const item of node.items) waiting.push(item);
    if (!isMap(node)) continue;
    const keys = new Set<string>();
    for (const { key } of node.items) {
      if (!isScalar(key) || key.value === "<<") continue;
      const name = String(key.value);
      if (keys.has(name)) found.push(key.range?.[0] ?? 0);
      keys.add(name);
    }
  }
  return found
    .toSorted((a, b) => a - b)
    .map((place) => {
      const { line, col } = lines.linePos(place);
      return `A key occurs twice in one object, at line ${line}, column ${col}: the last one counts.`;
    });
}
