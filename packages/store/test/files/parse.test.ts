import { describe, expect, it } from "vitest";
import { fromRecordFile, toRecordFile } from "../../src/files/format.ts";
import { parseValues } from "../../src/files/parse.ts";
import type { Breadcrumb } from "../../src/record/breadcrumb.ts";

const parse = (text: string | Uint8Array) => parseValues(typeof text === "string" ? Buffer.from(text) : text, "tools.json");

describe("the values of a file", () => {
  it("are one, or the items of a list, each with the line on which it begins", () => {
    expect(parse('\n\n {"a": [1,\n2]}')).toEqual([{ place: "tools.json (line 3)", value: { a: [1, 2] } }]);
    const list = '[\n{"a": "x,[\\"\\\\"},\n\n[{"b": 1}, 2], "t",\n5 ]';
    expect(parse(list)).toEqual([
      { place: "tools.json[0] (line 2)", value: { a: 'x,["\\' } },
      { place: "tools.json[1] (line 4)", value: [{ b: 1 }, 2] },
      { place: "tools.json[2] (line 4)", value: "t" },
      { place: "tools.json[3] (line 5)", value: 5 },
    ]);
    expect(parse("[]")).toEqual([]);
  });

  it("are refused by the line that is wrong", () => {
    const refused = (text: string | Uint8Array, line: number) =>
      expect(() => parse(text)).toThrow(
        expect.objectContaining({
          code: "RECORD_INVALID",
          message: expect.stringMatching(new RegExp(`^tools\\.json \\(line ${line}\\)[: ]`)),
        }),
      );
    refused('{\n"a": }', 2);
    refused('{"a": 1,\n"b": 2,\n"a": 3}', 3);
    refused('{"a":\n12345678901234567890}', 2);
    refused(Buffer.concat([Buffer.from('{\n"a": "'), Buffer.from([0xff]), Buffer.from('"\n}')]), 2);
    refused(Buffer.concat([Buffer.from("{}\n\n"), Buffer.from([0xff])]), 3);
    expect(() => parse(`${"[".repeat(100)}${"]".repeat(100)}`)).toThrow("tools.json");
    expect(() => parse(`${"[".repeat(70)}${"]".repeat(70)}`)).not.toThrow();
  });
});

describe("a record in a file", () => {
  const record = {
    owner: "acme",
    id: "r1",
    schema_name: "note.v1",
    title: "A note",
    tags: ["a"],
    context: { text: "x" },
    visibility: "team",
    sensitivity: "low",
    version: 3,
    checksum: "c",
    created_at: "t",
    created_by: "ada",
    updated_at: "t",
    updated_by: "ada",
    updated_agent: "x",
    updated_as: "curator",
  } as unknown as Breadcrumb;
  const written = {
    id: "r1",
    schema_name: "note.v1",
    title: "A note",
    tags: ["a"],
    context: { text: "x" },
    visibility: "team",
    sensitivity: "low",
  };

  it("is what its author wrote, and its id; neither the catalog nor a secret is written", () => {
    expect(toRecordFile(record)).toEqual(written);
    const decision = { decision: "approved" } as never;
    expect(toRecordFile({ ...record, decision })).toEqual({ ...written, decision });
    expect([toRecordFile({ ...record, schema_name: "tool.catalog.v1" }), toRecordFile({ ...record, sensitivity: "secret" })]).toEqual([
      undefined,
      undefined,
    ]);
  });

  it("is read without what a store adds; a text as its version is the author's", () => {
    expect(fromRecordFile({ ...record, decision: {} })).toEqual(written);
    expect(fromRecordFile({ ...written, version: "1.0.0" })).toEqual({ ...written, semantic_version: "1.0.0" });
    expect(fromRecordFile({ ...written, version: "1.0.0", semantic_version: "2.0.0" })).toEqual({ ...written, semantic_version: "2.0.0" });
    expect(fromRecordFile({ ...written, schema_name: "tool.catalog.v1" })).toBeUndefined();
    for (const none of [null, [], "x", {}, { schema_name: 5 }])
      expect(() => fromRecordFile(none)).toThrow(
        expect.objectContaining({ code: "RECORD_INVALID", message: "A record is an object with a schema_name." }),
      );
  });
});
