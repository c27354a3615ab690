import type { Filter, Operand, Segment } from "./json-path.ts";
import type { PathReader } from "./reader.ts";

type ParseSegments = (reader: PathReader) => readonly Segment[];

/** What stands behind "?" in brackets. */
export function parseFilter(reader: PathReader, parseSegments: ParseSegments): Filter {
  const list = (kind: "or" | "and", operator: string, next: () => Filter): Filter => {
    const parts = [next()];
    for (reader.skipSpace(); reader.take(operator); reader.skipSpace()) parts.push(next());
    return parts.length === 1 ? parts[0]! : { kind, parts };
  };

  function basic(): Filter {
    reader.skipSpace();
    if (reader.take("!")) return { kind: "not", part: reader.nested(basic) };
    if (reader.take("(")) {
      const inner = parseFilter(reader, parseSegments);
      reader.skipSpace();
      reader.expect(")");
      return inner;
    }
    const left = operand();
    reader.skipSpace();
    const operator = reader.match(/==|!=|<=|>=|<|>/);
    if (operator === undefined) {
      if (left.kind === "query") return { kind: "exists", query: left.query };
      if (left.kind === "call") return { kind: "test", call: left.call };
      throw reader.fault("a value alone is no condition");
    }
    reader.skipSpace();
    return { kind: "compare", operator, left, right: operand() };
  }

  function operand(): Operand {
    reader.skipSpace();
    const from = reader.take("@") ? "@" : reader.take("$") ? "$" : undefined;
    if (from !== undefined) return { kind: "query", query: { from, segments: parseSegments(reader) } };
    const text = reader.quoted();
    if (text !== undefined) return { kind: "literal", value: text };
    const number = reader.match(/-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/);
    if (number !== undefined) return { kind: "literal", value: Number(number) };
    const word = reader.match(/[a-z_]+/);
    if (word === "true" || word === "false" || word === "null") return { kind: "literal", value: JSON.parse(word) as unknown };
    if (word === "length" || word === "count" || word === "match" || word === "search" || word === "value") {
      reader.expect("(");
      const args: Operand[] = [];
      do args.push(reader.nested(operand));
      while ((reader.skipSpace(), reader.take(",")));
      reader.expect(")");
      return { kind: "call", call: { name: word, args } };
    }
    throw reader.fault("expected @, $, a value or a function");
  }

  return reader.nested(() => list("or", "||", () => list("and", "&&", basic)));
}
