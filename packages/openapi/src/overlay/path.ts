import { ToolError } from "@toolrack/core";
import { parseFilter } from "./filter.ts";
import type { Segment, Selector } from "./json-path.ts";
import { createReader, type PathReader } from "./reader.ts";

/** "$.paths[?@.get].get" as segments. Throws a ToolError that names the place of a mistake. */
export function parsePath(text: string): readonly Segment[] {
  const reader = createReader(text);
  reader.expect("$");
  const segments = parseSegments(reader);
  if (!reader.atEnd()) throw reader.fault("expected the end, a dot or a bracket");
  return segments;
}

/** The segments behind "$" or "@". */
export function parseSegments(reader: PathReader): readonly Segment[] {
  const segments: Segment[] = [];
  for (;;) {
    const start = reader.at();
    reader.skipSpace();
    if (reader.take(".."))
      segments.push({ isDescendant: true, selectors: reader.peek() === "[" ? bracketed(reader) : [shorthand(reader)] });
    else if (reader.take(".")) segments.push({ isDescendant: false, selectors: [shorthand(reader)] });
    else if (reader.peek() === "[") segments.push({ isDescendant: false, selectors: bracketed(reader) });
    else {
      reader.goTo(start);
      return segments;
    }
    if (segments.length > 200) throw new ToolError("CONFIG_INVALID", "A JSONPath has more than 200 segments.");
  }
}

function shorthand(reader: PathReader): Selector {
  if (reader.take("*")) return { kind: "all" };
  const name = reader.match(/[A-Za-z_\u0080-\uffff][\w\u0080-\uffff-]*/y);
  if (name === undefined) throw reader.fault("expected a name or *");
  return { kind: "name", name };
}

function bracketed(reader: PathReader): readonly Selector[] {
  reader.expect("[");
  const selectors: Selector[] = [];
  do {
    reader.skipSpace();
    selectors.push(selector(reader));
    reader.skipSpace();
  } while (reader.take(","));
  reader.expect("]");
  return selectors;
}

function selector(reader: PathReader): Selector {
  if (reader.take("*")) return { kind: "all" };
  if (reader.take("?")) return { kind: "filter", filter: parseFilter(reader, parseSegments) };
  const name = reader.quoted();
  if (name !== undefined) return { kind: "name", name };
  const start = reader.integer();
  reader.skipSpace();
  if (!reader.take(":")) {
    if (start === undefined) throw reader.fault("expected a name in quotes, a number, *, or ?");
    return { kind: "index", index: start };
  }
  reader.skipSpace();
  const end = reader.integer();
  reader.skipSpace();
  const step = reader.take(":") ? (reader.skipSpace(), reader.integer() ?? 1) : 1;
  return { kind: "slice", start, end, step };
}
