import { defineTool, type ToolDefinition, type ToolResult } from "@toolrack/core";
import { describe, expect, it } from "vitest";
import { readSubscription } from "../../src/serve/changes/subscription.ts";
import { createMemorySessionStore } from "../../src/serve/http/sessions/memory-session-store.ts";
import { templateOf, toContents, toResourceFields } from "../../src/serve/library/resources.ts";
import { readPromptInput, toPromptFields } from "../../src/serve/library/prompts.ts";
import { approvalKey, approvalRequest, isApprovalKey, toAnswer } from "../../src/serve/questions/approvals.ts";
import { headerFault } from "../../src/upstream/tools/header-params.ts";
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

describe("the question whether a call may go ahead", () => {
  it("shows the arguments up to a length, and offers a session only where there is one", () => {
    const ticket = { tool: "exec", digest: "sha256:d" } as Parameters<typeof approvalRequest>[0];
    expect(approvalRequest({ ...ticket, reason: "Run it?" }, { a: 1 }, true)).toMatchInlineSnapshot(`
      {
        "method": "elicitation/create",
        "params": {
          "message": "Run it?

      exec {"a":1}
      sha256:d",
          "requestedSchema": {
            "properties": {
              "scope": {
                "default": "once",
                "enum": [
                  "once",
                  "session",
                ],
                "title": "For how long",
                "type": "string",
              },
            },
            "type": "object",
          },
        },
      }
    `);
    expect(approvalRequest(ticket, undefined, false)).toMatchInlineSnapshot(`
      {
        "method": "elicitation/create",
        "params": {
          "message": "May the tool "exec" be called?

      exec 
      sha256:d",
          "requestedSchema": {
            "properties": {},
            "type": "object",
          },
        },
      }
    `);
    const message = (length: number): string => String(approvalRequest(ticket, "x".repeat(length), false).params["message"]);
    expect(message(998)).not.toContain("…");
    expect(message(999)).toContain(`"${"x".repeat(999)}…\nsha256:d`);
  });

  it("is known by its key, and answered by what the person did", () => {
    expect(approvalKey("sha256:d")).toBe("approval:sha256:d");
    expect([isApprovalKey("approval:x"), isApprovalKey("x")]).toEqual([true, false]);
    expect(
      [{ action: "accept", content: { scope: "once" } }, { action: "accept" }, { action: "decline", content: { a: 1 } }].map(toAnswer),
    ).toEqual([{ action: "accept", value: { scope: "once" } }, { action: "accept" }, { action: "decline" }]);
  });
});

describe("a subscription", () => {
  it("is acknowledged with what it wants, and nothing else", () => {
    const all = {
      toolsListChanged: true,
      promptsListChanged: true,
      resourcesListChanged: true,
      resourceSubscriptions: ["a://1", 7, "a://1"],
    };
    const { wantsResource, ...read } = readSubscription({ notifications: all });
    expect(read).toEqual({
      wantsTools: true,
      wantsPrompts: true,
      wantsResources: true,
      wanted: { ...all, resourceSubscriptions: ["a://1"] },
    });
    expect([wantsResource("a://1"), wantsResource("a://2")]).toEqual([true, false]);
    const { wantsResource: wantsNone, ...none } = readSubscription({
      notifications: { toolsListChanged: 1, promptsListChanged: "x", resourceSubscriptions: "a" },
    });
    expect(none).toEqual({ wantsTools: false, wantsPrompts: false, wantsResources: false, wanted: {} });
    expect(wantsNone("a")).toBe(false);
    const uris = Array.from({ length: 1_000 }, (_, index) => `a://${index}`);
    expect(readSubscription({ notifications: { resourceSubscriptions: uris } }).wanted).toEqual({ resourceSubscriptions: uris });
    expect(() => readSubscription({ notifications: { resourceSubscriptions: [...uris, "b://1"] } })).toThrow("At most 1000 resources");
    expect(() => readSubscription({ notifications: [] })).toThrow("notifications must be an object");
  });
});

describe("resources and prompts", () => {
  it("are listed with what they say of themselves", () => {
    const read = () => ({ text: "" });
    expect(toResourceFields({ uri: "a://1", name: "a", title: "A", description: "d", mimeType: "text/plain", read })).toEqual({
      uri: "a://1",
      name: "a",
      title: "A",
      description: "d",
      mimeType: "text/plain",
    });
    expect(toResourceFields({ uriTemplate: "a://{id}", name: "a", read })).toEqual({ uriTemplate: "a://{id}", name: "a" });
    const get = () => [];
    expect(
      toPromptFields({
        name: "p",
        title: "T",
        description: "d",
        arguments: [{ name: "a", description: "x", required: true }, { name: "b" }],
        get,
      }),
    ).toEqual({
      name: "p",
      title: "T",
      description: "d",
      arguments: [{ name: "a", description: "x", required: true }, { name: "b" }],
    });
    expect(toPromptFields({ name: "p", get })).toEqual({ name: "p" });
    expect({ ...readPromptInput({ name: "p", arguments: [{ name: "a", required: false }], get }, { b: "x" }) }).toEqual({ b: "x" });
  });

  it("are read as texts or bytes, of the type that they or their list say", () => {
    expect(toContents("a://1", [{ text: "a" }, { blob: "Yg==", mimeType: "image/png" }, { meta: { at: 1 } }], "text/plain")).toEqual([
      { uri: "a://1", mimeType: "text/plain", text: "a" },
      { uri: "a://1", mimeType: "image/png", blob: "Yg==" },
      { uri: "a://1", mimeType: "text/plain", text: "", _meta: { at: 1 } },
    ]);
    expect(toContents("a://1", { text: "a" }, undefined)).toEqual([{ uri: "a://1", text: "a" }]);
  });

  it("have templates with gaps that are apart from each other", () => {
    const template = (uriTemplate: string) => templateOf({ uriTemplate, name: "t", read: () => undefined });
    expect(template("a://{id}/{page}").match("a://1/2")).toEqual({ id: "1", page: "2" });
    expect(template("a://{id}")).toBe(template("a://{id}"));
    for (const wrong of ["a://{id}{page}", "a://{", "a://{a b}"])
      expect(() => template(wrong)).toThrow(
        expect.objectContaining({
          code: "CONFIG_INVALID",
          message: `The resource template "${wrong}" must be a URI with gaps such as {id}, apart from each other.`,
        }),
      );
  });
});

describe("limits", () => {
  it("a schema that is nested too deeply has headers that cannot be looked for", () => {
    const nested = (depth: number): object => (depth === 0 ? {} : { not: nested(depth - 1) });
    expect(headerFault(nested(128))).toBeUndefined();
    expect(headerFault(nested(129))).toBe("the schema is nested too deeply");
    expect(headerFault({ type: "object", properties: { a: { type: "string", "x-mcp-header": "a".repeat(100) } } })).toBeUndefined();
    expect(headerFault({ type: "object", properties: { a: { type: "string", "x-mcp-header": "a".repeat(101) } } })).toBe(
      '"x-mcp-header" is not the name of a header',
    );
  });

  it("the settings of a session are forgotten with its end", async () => {
    const store = createMemorySessionStore();
    const session = (index: number) => ({ key: `s${index}`, principal: `p${index}`, expiresAt: Date.now() + 600_000 });
    await store.change(session(0), () => ({ logLevel: "debug" }) as never);
    await store.change(session(1), () => ({ logLevel: "debug" }) as never);
    expect(store.settings("s0")).toEqual({ logLevel: "debug" });
    const { logLevel } = store.settings("none");
    expect(logLevel).toBeUndefined();
    await store.end(session(0));
    expect([store.hasEnded("s0"), store.hasEnded("s1"), store.settings("s0").logLevel]).toEqual([true, false, undefined]);
  });
});
