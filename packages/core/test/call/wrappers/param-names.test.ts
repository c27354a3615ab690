import fc from "fast-check";
import { cpuTime } from "@toolrack/testkit/cpu-time";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "@toolrack/json-schema/internal";
import { paramNames } from "../../../src/call/wrappers/param-names.ts";
import { fakeCall, fakeTool } from "../../../src/testing/fake-call.ts";
import { wrapperContract } from "../../../src/testing/wrapper-contract.ts";
import type { ToolMetadata } from "../../../src/tool/metadata.ts";

const text = { type: "string" };
const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({ type: "object", properties, ...more });

function prepare(inputSchema: JsonObject, input: JsonObject, metadata: ToolMetadata = {}): JsonObject {
  return paramNames.prepare!(input, fakeCall({ tool: fakeTool({ inputSchema, metadata }) }));
}

describe("paramNames", () => {
  const tool = fakeTool({ inputSchema: object({ sessionKey: text, nested: object({ maxCount: text }) }) });
  for (const check of wrapperContract("paramNames", () => paramNames, { tool, input: { session_key: "k", nested: { max_count: "1" } } })) {
    it(check.name, check.run);
  }

  // row: D8
  it("brings both spellings to the declared one", () => {
    expect(prepare(object({ sessionKey: text }), { session_key: "a" })).toEqual({ sessionKey: "a" });
    expect(prepare(object({ session_key: text }), { sessionKey: "a" })).toEqual({ session_key: "a" });
  });

  it.each([
    ["messageURL", "message_url"],
    ["getHTTPStatus", "get_http_status"],
    ["oldText1", "old_text_1"],
    ["base64Data", "base64_data"],
    ["userID", "user_id"],
    ["SessionKey", "session_key"],
  ])("takes %s and %s for one name", (camel, snake) => {
    expect(prepare(object({ [camel]: text }), { [snake]: 1 })).toEqual({ [camel]: 1 });
    expect(prepare(object({ [snake]: text }), { [camel]: 1 })).toEqual({ [snake]: 1 });
  });

  // row: D8
  it("takes the exact name where both are given, and leaves the other out", () => {
    for (const value of ["c", "", null]) {
      expect(prepare(object({ sessionKey: text }), { session_key: "s", sessionKey: value })).toEqual({ sessionKey: value });
      expect(prepare(object({ sessionKey: text }), { sessionKey: value, session_key: "s" })).toEqual({ sessionKey: value });
    }
  });

  it("does not touch names that differ in case alone, in kebab case, or in a missing word break", () => {
    for (const key of ["SessionKey", "session-key", "sessionkey", "SESSIONKEY"]) {
      const input = { [key]: 1 };
      expect(prepare(object({ sessionKey: text }), input)).toBe(input);
    }
  });

  it("keeps two declared names apart that have the same words", () => {
    const input = { fooBar: 1, foo_bar: 2, FooBar: 3 };
    expect(prepare(object({ fooBar: text, foo_bar: text }), input)).toBe(input);
  });

  it("renames aliases at the top, in any spelling, unless the exact name is there", () => {
    const schema = object({ path: text, oldText: text, nested: object({ path: text }) });
    const aliases = { file_path: "path", old_string: "oldText", cmd: "command" };
    expect(prepare(schema, { file_path: "a", old_string: "b" }, { aliases })).toEqual({ path: "a", oldText: "b" });
    expect(prepare(schema, { filePath: "a" }, { aliases })).toEqual({ path: "a" });
    expect(prepare(schema, { file_path: "a", path: "b" }, { aliases })).toEqual({ path: "b" });
    expect(prepare(schema, { nested: { file_path: "a" } }, { aliases })).toEqual({ nested: { file_path: "a" } });
    expect(prepare({ type: "object" }, { cmd: "ls" }, { aliases })).toEqual({ command: "ls" });
  });

  it("takes a declared name for itself even if it is an alias too", () => {
    const input = { file_path: "a" };
    expect(prepare(object({ path: text, file_path: text }), input, { aliases: { file_path: "path" } })).toBe(input);
  });

  // row: D9
  it("follows nested objects, arrays of objects and tuples", () => {
    const schema = object({
      outerName: object({ innerName: text }),
      editList: { type: "array", items: object({ oldText: text }) },
      pairList: { type: "array", prefixItems: [object({ firstName: text }), object({ lastName: text })] },
    });
    const input = {
      outer_name: { inner_name: 1 },
      edit_list: [{ old_text: 1 }, 5, { oldText: 2 }],
      pair_list: [{ first_name: 1 }, { last_name: 2 }],
    };
    expect(prepare(schema, input)).toEqual({
      outerName: { innerName: 1 },
      editList: [{ oldText: 1 }, 5, { oldText: 2 }],
      pairList: [{ firstName: 1 }, { lastName: 2 }],
    });
  });

  it("follows references, also those of a schema that contains itself", () => {
    const schema = object(
      { rootNode: { $ref: "#/$defs/Tree~1Node" } },
      { $defs: { "Tree/Node": object({ nodeName: text, childList: { type: "array", items: { $ref: "#/$defs/Tree~1Node" } } }) } },
    );
    expect(prepare(schema, { root_node: { node_name: "a", child_list: [{ node_name: "b", child_list: [{ node_name: "c" }] }] } })).toEqual({
      rootNode: { nodeName: "a", childList: [{ nodeName: "b", childList: [{ nodeName: "c" }] }] },
    });
    expect(prepare(object({ aB: { $ref: "#" } }), { a_b: { a_b: {} } })).toEqual({ aB: { aB: {} } });
    for (const $ref of ["#/nowhere", "#anchor", "#/%", "https://example.com/x"]) {
      expect(prepare(object({ aB: { $ref } }), { a_b: { c_d: 1 } })).toEqual({ aB: { c_d: 1 } });
    }
  });

  it("follows every branch of a union", () => {
    const schema = object({
      target: {
        anyOf: [
          object({ fileName: text, options: object({ maxSize: text }) }),
          object({ urlText: text, options: object({ timeOut: text }) }),
          { type: "null" },
        ],
      },
    });
    expect(prepare(schema, { target: { file_name: 1, options: { max_size: 1 } } })).toEqual({
      target: { fileName: 1, options: { maxSize: 1 } },
    });
    expect(prepare(schema, { target: { url_text: 1, options: { time_out: 1 } } })).toEqual({
      target: { urlText: 1, options: { timeOut: 1 } },
    });
    expect(prepare(schema, { target: null })).toEqual({ target: null });
  });

  it.each(["allOf", "anyOf", "oneOf", "then", "else"])("follows what %s declares", (keyword) => {
    const inner = object({ maxSize: text });
    const branch = keyword.endsWith("Of") ? [{}, inner] : inner;
    expect(prepare(object({ target: { [keyword]: branch } }), { target: { max_size: 1 } })).toEqual({ target: { maxSize: 1 } });
  });

  // row: D9
  it("leaves the keys of free-form maps alone, but follows what they declare", () => {
    const map = {
      type: "object",
      additionalProperties: object({ innerName: text }),
      properties: { knownName: object({ innerName: text }) },
    };
    const schema = object({ env: { type: "object" }, headers: map });
    const free = { env: { MY_VAR: 1, my_var: 2 }, headers: { known_name: { inner_name: 1 } } };
    expect(prepare(schema, free)).toBe(free);
    expect(prepare(schema, { headers: { knownName: { inner_name: 1 } } })).toEqual({ headers: { knownName: { innerName: 1 } } });
    const patterned = { a_b: 1 };
    expect(prepare(object({ aB: text }, { patternProperties: { "^a": text } }), patterned)).toBe(patterned);
  });

  it("keeps the order of keys and reads own properties only", () => {
    const input = Object.assign(Object.create({ a_b: 1 }) as JsonObject, { first: 1, c_d: 2, last: 3 });
    const prepared = prepare(object({ aB: text, cD: text }), input);
    expect(Object.keys(prepared)).toEqual(["first", "cD", "last"]);
  });

  it("keeps __proto__ an own key when it has to copy", () => {
    const input = JSON.parse('{"__proto__":{"polluted":1},"a_b":2}') as JsonObject;
    const prepared = prepare(object({ aB: text }), input);
    expect(JSON.stringify(prepared)).toBe('{"__proto__":{"polluted":1},"aB":2}');
    expect(Object.getPrototypeOf(prepared)).toBe(Object.prototype);
  });

  it("ends for inputs deeper than any stack", () => {
    let deep: JsonObject = {};
    for (let level = 0; level < 50_000; level++) deep = { a_b: deep };
    expect(Object.keys(prepare(object({ aB: { $ref: "#" } }), deep))).toEqual(["aB"]);
  });

  it("takes little time for a schema whose branches multiply with each level", () => {
    // Which of 24 places a value may stand at depends on its last 24 keys, so there are 2^24 sets of places.
    const place = (index: number) => ({ $ref: `#/$defs/p${index}` });
    const $defs: JsonObject = { p0: object({ a: { anyOf: [place(0), place(1)] }, b: place(0) }) };
    for (let index = 1; index < 24; index++) $defs[`p${index}`] = object({ a: place(index + 1), b: place(index + 1) });
    $defs["p24"] = object({ lastName: text });
    const started = cpuTime();
    expect(prepare(object({ firstName: place(0) }, { $defs }), { first_name: { a: {} } })).toEqual({ firstName: { a: {} } });
    expect(cpuTime() - started).toBeLessThan(20_000);
  });

  it("changes nothing where every name is declared, and gives the same object back", () => {
    const names = fc.uniqueArray(fc.stringMatching(/^[a-z][a-zA-Z0-9_]{0,8}$/), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(names, (declared) => {
        const input = Object.fromEntries(declared.map((name) => [name, { [name]: 1 }]));
        expect(prepare(object(Object.fromEntries(declared.map((name) => [name, text]))), input)).toBe(input);
      }),
    );
  });

  it("finds every camel-case name again from its snake case", () => {
    const word = fc.stringMatching(/^[a-z]{2,6}$/);
    fc.assert(
      fc.property(fc.array(word, { minLength: 2, maxLength: 4 }), fc.jsonValue(), (words, value) => {
        const camel = words.map((part, index) => (index === 0 ? part : part[0]!.toUpperCase() + part.slice(1))).join("");
        expect(prepare(object({ [camel]: {} }), { [words.join("_")]: value })).toEqual({ [camel]: value });
      }),
    );
  });
});
