import { isCollection, isMap, isNode, isScalar, LineCounter, type Node, parseDocument } from "yaml";

/** A position in a file, counted from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** A YAML file as plain data, with the position of each part. */
export interface PositionedYaml {
  readonly value: unknown;
  /** Syntax errors; if there are any, the value must not be used. */
  readonly errors: readonly (Position & { readonly message: string })[];
  /** The position of the value at a path, or of its key; for a missing one, of its nearest parent. */
  positionOf(path: readonly (string | number)[], part?: "key" | "value"): Position;
}

export function readYaml(text: string): PositionedYaml {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const at = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  const errors = document.errors.map(({ pos, message }) => ({ ...at(pos[0]), message }));
  let value: unknown;
  if (errors.length === 0) {
    try {
      // Aliases could expand a small file into a huge value, so they are not allowed.
      value = document.toJS({ maxAliasCount: 0 });
    } catch (error) {
      errors.push({ line: 1, column: 1, message: error instanceof Error ? error.message : String(error) });
    }
  }
  return {
    value,
    errors,
    positionOf(path, part = "value") {
      let node: unknown = document.contents;
      let found = offsetOf(node) ?? 0;
      for (const [depth, key] of path.entries()) {
        const pair = isMap(node)
          ? node.items.find((item) => (isScalar(item.key) ? String(item.key.value) : undefined) === String(key))
          : undefined;
        const isLast = depth === path.length - 1;
        if (pair !== undefined)
          found = offsetOf(isLast && part === "key" ? pair.key : (pair.value ?? pair.key)) ?? offsetOf(pair.key) ?? found;
        node = pair !== undefined ? pair.value : isCollection(node) ? node.get(key, true) : undefined;
        if (node === undefined || node === null) break;
        if (pair === undefined) found = offsetOf(node) ?? found;
      }
      return at(found);
    },
  };
}

function offsetOf(node: unknown): number | undefined {
  return isNode(node) ? (node as Node).range?.[0] : undefined;
}
