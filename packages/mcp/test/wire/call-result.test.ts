import { defineTool, type ToolDefinition, type ToolResult } from "@toolrack/core";
import { describe, expect, it } from "vitest";
import { toCallResult } from "../../src/wire/call-result.ts";
import { embedResource } from "../../src/wire/embedded-resource.ts";

const tool = (more: Partial<ToolDefinition> = {}): ToolDefinition =>
  defineTool({ name: "sum", description: "Sums.", inputSchema: { type: "object" }, handler: () => "", ...more } as ToolDefinition);
const ok = (more: object): ToolResult => ({ ok: true, content: "text", meta: {}, ...more }) as ToolResult;

describe("the result of a call", () => {
  it("has each block in the form of the protocol", () => {
    const blocks = [
      { type: "text", text: "a" },
      { type: "json", data: { b: 1 } },
      { type: "json", data: undefined },
      embedResource({ uri: "a://1", mimeType: "text/plain", text: "c" }),
      embedResource({ uri: "a://2", blob: "ZA==" }),
      { type: "resource_link", uri: "a://3", name: "three" },
      { type: "image", data: "eA==", mimeType: "image/png" },
    ];
    expect(toCallResult(ok({ blocks }), tool(), "modern")).toMatchInlineSnapshot(`
      {
        "content": [
          {
            "text": "a",
            "type": "text",
          },
          {
            "text": "{"b":1}",
            "type": "text",
          },
          {
            "text": "",
            "type": "text",
          },
          {
            "resource": {
              "mimeType": "text/plain",
              "text": "c",
              "uri": "a://1",
            },
            "type": "resource",
          },
          {
            "resource": {
              "blob": "ZA==",
              "uri": "a://2",
            },
            "type": "resource",
          },
          {
            "name": "three",
            "type": "resource_link",
            "uri": "a://3",
          },
          {
            "data": "eA==",
            "mimeType": "image/png",
            "type": "image",
          },
        ],
      }
    `);
  });

  it("says which part of an output is not what its schema promises", () => {
    const outputSchema = { type: "object", properties: { n: { type: "integer" }, m: { type: "string" } }, required: ["n"] };
    const results = [{ data: { n: 1 } }, { data: { n: "x", m: 2 } }, { data: undefined }, { data: [] }].map((more) =>
      toCallResult(ok(more), tool({ outputSchema }), "modern"),
    );
    expect(results).toMatchInlineSnapshot(`
      [
        {
          "content": [
            {
              "text": "text",
              "type": "text",
            },
          ],
          "structuredContent": {
            "n": 1,
          },
        },
        {
          "_meta": {
            "toolrack/code": "OUTPUT_INVALID",
          },
          "content": [
            {
              "text": "The output of tool "sum" does not match its output schema: /n must be a whole number; /m must be a text.",
              "type": "text",
            },
          ],
          "isError": true,
        },
        {
          "_meta": {
            "toolrack/code": "OUTPUT_INVALID",
          },
          "content": [
            {
              "text": "The output of tool "sum" does not match its output schema: it must be an object.",
              "type": "text",
            },
          ],
          "isError": true,
        },
        {
          "_meta": {
            "toolrack/code": "OUTPUT_INVALID",
          },
          "content": [
            {
              "text": "The output of tool "sum" does not match its output schema: it must be an object.",
              "type": "text",
            },
          ],
          "isError": true,
        },
      ]
    `);
    expect(toCallResult(ok({ data: { n: 1 }, meta: { warnings: ["Odd."] } }), tool({ outputSchema }), "legacy")).toMatchInlineSnapshot(`
      {
        "_meta": {
          "toolrack/warnings": [
            "Odd.",
          ],
        },
        "content": [
          {
            "text": "text",
            "type": "text",
          },
        ],
        "structuredContent": {
          "n": 1,
        },
      }
    `);
    expect(toCallResult(ok({ data: [1] }), tool({ outputSchema: { type: ["object", "array"] } }), "legacy")).toMatchInlineSnapshot(`
      {
        "_meta": {
          "toolrack/details": [
            1,
          ],
        },
        "content": [
          {
            "text": "text",
            "type": "text",
          },
        ],
      }
    `);
  });

  it("carries all that is known of a failure", () => {
    const failure = {
      ok: false,
      error: "It broke.",
      code: "TOOL_FAILED",
      status: 500,
      retryable: false,
      meta: {},
    } as unknown as ToolResult;
    expect(toCallResult(failure, tool(), "modern")).toMatchInlineSnapshot(`
      {
        "_meta": {
          "toolrack/code": "TOOL_FAILED",
          "toolrack/status": 500,
        },
        "content": [
          {
            "text": "It broke.",
            "type": "text",
          },
        ],
        "isError": true,
      }
    `);
    const more = {
      ...failure,
      retryable: true,
      retryAfterMs: 0,
      approval: { id: "a" },
      meta: { warnings: ["Odd."] },
    } as unknown as ToolResult;
    expect(toCallResult(more, undefined, "modern")).toMatchInlineSnapshot(`
      {
        "_meta": {
          "toolrack/approval": {
            "id": "a",
          },
          "toolrack/code": "TOOL_FAILED",
          "toolrack/retryAfterMs": 0,
          "toolrack/retryable": true,
          "toolrack/status": 500,
          "toolrack/warnings": [
            "Odd.",
          ],
        },
        "content": [
          {
            "text": "It broke.",
            "type": "text",
          },
        ],
        "isError": true,
      }
    `);
  });
});
