import { describe, expect, it } from "vitest";
import { toGbnf } from "../../src/grammar/gbnf.ts";
import { toLark, toolCallLark, toolCallLarkWithReport } from "../../src/grammar/lark.ts";
import { readGbnf, type Recogniser } from "./gbnf-recogniser.ts";

const schema = {
  type: "object",
  properties: {
    path: { type: "string", pattern: '^[a-z/]+\\.[^x"]$' },
    size: { type: "number", minimum: 0.5, maximum: 20 },
    kind: { enum: ["a", 'q"\\', "é😀"] },
    tree: { $ref: "#/$defs/Tree" },
  },
  required: ["path"],
  $defs: { Tree: { type: "object", properties: { next: { $ref: "#/$defs/Tree" } }, additionalProperties: false } },
};

/** Rules, terminals, quoted texts and classes mean the same in both notations, so that the recogniser of the one can judge the other. */
function readLark(text: string): Recogniser {
  const rules = text.trimEnd().split("\n");
  for (const rule of rules) expect(rule).toMatch(/^(?:[a-z][a-z0-9_]*|[A-Z][A-Z0-9_]*): /);
  const names = new Map(rules.map((rule, index) => [rule.slice(0, rule.indexOf(":")), `r-${index}`]));
  expect(names.size).toBe(rules.length);
  const token = /"(?:[^"\\]|\\.)*"|\/\[(?:[^\]\\]|\\.[^\]]?)*\]\/|[A-Za-z][A-Za-z0-9_]*|\{[\d,]+\}|[ ()|*+?]/gy;
  const translated = rules.map((rule) => {
    const colon = rule.indexOf(":");
    const body = rule.slice(colon + 2);
    let written = "";
    token.lastIndex = 0;
    while (token.lastIndex < body.length) {
      const at = token.lastIndex;
      const part = token.exec(body)?.[0];
      if (part === undefined) throw new SyntaxError(`Unexpected ${body.slice(at, at + 20)} in ${rule.slice(0, colon)}`);
      if (part.startsWith('"')) written += JSON.stringify(JSON.parse(part));
      else if (part.startsWith("/"))
        written += part.slice(1, -1).replace(/\\x\{([\dA-F]+)\}/g, (_, hex: string) => `\\U${hex.padStart(8, "0")}`);
      else if (/^[A-Za-z]/.test(part)) written += names.get(part) ?? `undefined-${part.replaceAll("_", "-")}`;
      else written += part;
    }
    return `${names.get(rule.slice(0, colon))} ::= ${written}`;
  });
  return readGbnf(`root ::= ${names.get("start")}\n${translated.join("\n")}\n`);
}

describe("the Lark notation", () => {
  it("accepts what the GBNF of the same schema accepts", () => {
    const [lark, gbnf] = [readLark(toLark(schema)), readGbnf(toGbnf(schema))];
    for (const text of [
      '{"path":"/a.b"}',
      '{"path":"/a.x"}',
      '{"path":"a.\\\\","size":0.5}',
      '{"path":"a.b","size":0.4}',
      '{"path":"a.b","size":20,"kind":"q\\"\\\\"}',
      '{"path":"a.b","kind":"é😀","tree":{"next":{"next":{}}}}',
      '{"path":"a.b","tree":{"other":1}}',
      "{}",
    ])
      expect(lark.accepts(text), text).toBe(gbnf.accepts(text));
    expect(lark.accepts('{"path":"a.b","size":20,"kind":"a","tree":{}}')).toBe(true);
  });

  it("writes tool calls, and names what they lost", () => {
    const tools = [
      { name: "read_file", inputSchema: schema },
      { name: "read-file", inputSchema: { type: "object", properties: { at: { type: "string", format: "regex" } } } },
    ];
    const grammar = readLark(toolCallLark(tools, { parallel: true }));
    expect(grammar.accepts('[{"name": "read_file", "arguments": {"path": "a.b"}}, {"name": "read-file", "arguments": {}}]')).toBe(true);
    expect(grammar.accepts('[{"name": "read_file", "arguments": {}}]')).toBe(false);
    expect(toolCallLarkWithReport(tools).losses).toMatchObject([{ tool: "read-file", path: "/properties/at", keyword: "format" }]);
  });

  it("reads texts and numbers with terminals", () => {
    expect(toLark({ anyOf: [{ type: "string" }, { type: "number" }] })).toMatch(/^start: STRING \| NUMBER\n/);
  });
});
