import { assert } from "#assert";
import { type JsonSchema, validateValue } from "@toolrack/json-schema";
import { isObject } from "@toolrack/json-schema/internal";
import { adaptSchema } from "../providers/adapt/adapt.ts";
import type { AnsweredCall, Provider, ToolChoice } from "../providers/provider.ts";
import { providerFor } from "../providers/providers.ts";
import { checkVendorSchema } from "../providers/rules/rules.ts";
import { readCalls, writeChoice, writeResults } from "../providers/wire/calls.ts";
import { exportTools } from "../providers/wire/export.ts";
import type { ToolFailure, ToolSuccess } from "../tool/result.ts";
import { schemaSamples } from "./_schema-samples.ts";
import { fakeTool } from "./fake-call.ts";
import type { ContractCheck } from "./wrapper-contract.ts";

/** A reply of the vendor, and the calls in it. */
export interface ProviderReply {
  /** A whole reply, or the list of events or chunks of a streamed one. */
  readonly reply: unknown;
  readonly calls: readonly { readonly name: string; readonly input: unknown }[];
}

export interface ProviderContractOptions {
  /** Replies as the vendor writes them: at least a whole one, and a streamed one if the vendor streams. */
  readonly replies: readonly ProviderReply[];
  /** Further schemas, each with values that it accepts. */
  readonly schemas?: readonly { readonly schema: JsonSchema; readonly values: readonly unknown[] }[];
}

/** The contract of `Provider` as checks for any test runner: `for (const check of providerContract(…)) it(check.name, check.run)`. */
export function providerContract(provider: Provider, { replies, schemas = [] }: ProviderContractOptions): readonly ContractCheck[] {
  const samples = [...schemaSamples, ...schemas];
  const modes = provider.strict === undefined ? [false] : [false, true];
  const tools = samples.map(({ schema }, index) => fakeTool({ name: `tool_${index}`, inputSchema: schema }));

  const checks: Record<string, () => void> = {
    "is a value of defineProvider": () => assert.equal(providerFor(provider), provider),

    "makes only schemas that it accepts": () => {
      for (const strict of modes) {
        for (const { schema } of samples) {
          const adapted = adaptSchema(schema, provider, { strict });
          assert.deepEqual(checkVendorSchema(adapted.schema, provider, { strict: adapted.strict }), [], JSON.stringify(schema));
        }
      }
    },

    "keeps every valid value, there and back": () => {
      for (const strict of modes) {
        for (const { schema, values } of samples) {
          const adapted = adaptSchema(schema, provider, { strict, undeclared: "carry" });
          for (const value of values) {
            const sent = adapted.encode(value);
            const about = `${JSON.stringify(value)} of ${JSON.stringify(schema)}, sent as ${JSON.stringify(sent)}`;
            assert.ok(validateValue(withNullTypes(adapted.schema), sent).ok, about);
            assert.deepEqual(adapted.decode(sent), value, about);
          }
        }
      }
    },

    "adapts a schema the same way every time, without changing it": () => {
      for (const { schema } of samples) {
        const before = JSON.stringify(schema);
        const once = JSON.stringify(adaptSchema(schema, provider).schema);
        assert.equal(JSON.stringify(adaptSchema(JSON.parse(before), provider).schema), once);
        assert.equal(JSON.stringify(schema), before);
      }
    },

    "says of each loss where it is and what became of it": () => {
      for (const { schema } of samples) {
        for (const { path, keyword, note } of adaptSchema(schema, provider).losses) {
          assert.match(path, /^(?:$|\/)/);
          assert.notEqual(keyword, "");
          assert.notEqual(note, "");
        }
      }
    },

    "exports every tool, as plain data and as the same bytes every time": () => {
      const most = tools.slice(0, provider.limits.tools ?? tools.length);
      const exported = exportTools(most, provider);
      assert.deepEqual(
        exported.diagnostics.filter(({ severity }) => severity === "error"),
        [],
      );
      assert.deepEqual(JSON.parse(exported.text), exported.tools);
      assert.equal(exportTools([...most], provider).text, exported.text);
      assert.equal(Object.keys(exported.names).length, most.length);
      assert.deepEqual(exportTools([], provider).tools, []);
    },

    "gives every tool a legal name of its own": () => {
      const names = ["read", "files.read", "files_read", "files-read", "1st", "n".repeat(128), `${"n".repeat(127)}m`, "__proto__"];
      const list = names.slice(0, provider.limits.tools ?? names.length).map((name) => fakeTool({ name }));
      const exported = exportTools(list, provider);
      assert.deepEqual(Object.values(exported.names).toSorted(), list.map(({ name }) => name).toSorted());
      for (const name of Object.keys(exported.names)) {
        assert.match(name, provider.limits.name);
        assert.ok(name.length <= provider.limits.nameLength, name);
      }
    },

    "finds no call in what is not a reply": () => {
      for (const reply of hostileReplies) assert.deepEqual(provider.wire.readCalls(reply), []);
    },

    "reads the calls of its replies, each under an id of its own": () => {
      assert.ok(replies.length > 0, "Give at least one reply of the vendor.");
      for (const { reply, calls } of replies) {
        const read = readCalls(reply, provider);
        assert.deepEqual(
          read.map(({ name, input }) => ({ name, input })),
          calls,
        );
        assert.equal(new Set(read.map(({ id }) => id)).size, calls.length);
        assert.ok(read.every(({ id }) => id !== ""));
      }
    },

    "does not throw for a reply with a part missing or wrong": () => {
      for (const { reply } of replies) {
        for (const broken of brokenForms(reply)) {
          assert.ok(Array.isArray(provider.wire.readCalls(broken)));
          provider.wire.isReply?.(broken);
          provider.wire.readFailure?.(broken);
        }
      }
    },

    "knows its replies from what is none, if it tells them apart": () => {
      const { isReply } = provider.wire;
      if (isReply === undefined) return;
      for (const { reply } of replies) assert.equal(isReply(reply), true, JSON.stringify(reply));
      for (const reply of [undefined, null, 5, {}]) assert.equal(isReply(reply), false, String(reply));
    },

    "sees no failure in its replies, nor in what is none": () => {
      for (const reply of [...replies.map(({ reply }) => reply), ...hostileReplies])
        assert.equal(provider.wire.readFailure?.(reply), undefined);
    },

    "answers each call once, in the order of the calls": () => {
      assert.deepEqual(provider.wire.writeResults([]), []);
      const calls = ["first", "second", "third"].map((id) => ({ id, name: id, wireName: id, input: {} }));
      const results = [success("alpha"), failure("beta"), success("gamma")];
      const text = JSON.stringify(writeResults(calls, results, provider));
      const places = ["alpha", "beta", "gamma"].map((word) => text.indexOf(word));
      assert.ok(!places.includes(-1), text);
      assert.deepEqual(
        places,
        places.toSorted((a, b) => a - b),
      );
    },

    "answers with images, with nothing, and with texts of any kind": () => {
      const image: ToolSuccess = {
        ...success("[image image/png]"),
        blocks: [
          { type: "text", text: "a chart" },
          { type: "image", data: "aGk=", mimeType: "image/png" },
        ],
      };
      for (const result of [image, success(""), success("</tool> ] } \u0000 😀"), failure("")]) {
        const answer: AnsweredCall = { call: { id: "1", name: "a", wireName: "a" }, result };
        assert.ok(provider.wire.writeResults([answer]).length > 0);
      }
    },

    "writes every choice as fields of a request": () => {
      const choices: ToolChoice[] = ["auto", "none", "required", { tool: "a" }, { tools: ["a", "b"] }, { tools: ["a"], mode: "auto" }];
      for (const choice of choices) {
        for (const parallel of [undefined, true, false]) {
          const written = writeChoice(choice, provider, { ...(parallel !== undefined && { parallel }) });
          assert.ok(isObject(written));
          assert.deepEqual(JSON.parse(JSON.stringify(written)), written);
        }
      }
    },
  };
  return Object.entries(checks).map(([check, run]) => ({ name: `${provider.name}: ${check}`, run: async () => run() }));
}

const meta = { callId: "x", tool: "t", durationMs: 1 };

function success(content: string): ToolSuccess {
  return { ok: true, content, meta };
}

function failure(error: string): ToolFailure {
  return { ok: false, error, code: "TOOL_FAILED", status: 500, retryable: false, meta };
}

const hostileReplies: readonly unknown[] = [
  undefined,
  null,
  5,
  "text",
  [],
  {},
  [null, 1, "x"],
  { content: null, choices: 3, output: "x", candidates: [null], message: [] },
  [{ type: { toString: 1 }, index: { toString: 1 }, output_index: { toString: 1 } }],
];

/** The reply with each value in it replaced by something else, one at a time. Replies are small. */
function* brokenForms(value: unknown): Iterable<unknown> {
  yield* [null, "x", 7, [], {}];
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) for (const broken of brokenForms(item)) yield value.with(index, broken);
  } else if (isObject(value)) {
    for (const [key, item] of Object.entries(value)) for (const broken of brokenForms(item)) yield { ...value, [key]: broken };
  }
}

/** OpenAPI's `nullable` in words of JSON Schema. */
function withNullTypes(schema: unknown): JsonSchema {
  const look = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(look);
    if (!isObject(value)) return value;
    const inner: Record<string, unknown> = Object.fromEntries(Object.entries(value).map(([key, part]) => [key, look(part)]));
    return inner["nullable"] === true && typeof inner["type"] === "string" ? { ...inner, type: [inner["type"], "null"] } : inner;
  };
  return look(schema) as JsonSchema;
}
