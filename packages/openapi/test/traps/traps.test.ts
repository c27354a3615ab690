import { ToolError } from "@toolrack/core";
import { validateValue } from "@toolrack/json-schema";
import { describe, expect, it } from "vitest";
import { buildRequest, describeOpenApiTool, type MultipartBody, readOpenApi } from "../../src/index.ts";
import { readTraps, toInput } from "./trap.ts";

describe.each(readTraps())("$file: $trap", ({ document, options, tools: count, calls }) => {
  const before = JSON.stringify(document);
  const { tools, refused } = readOpenApi(document, options);
  const find = (operation: string) =>
    tools.find((tool) => `${describeOpenApiTool(tool).method} ${describeOpenApiTool(tool).path}` === operation)!;

  it("is read without changing the document", () => {
    expect(refused).toEqual([]);
    expect(JSON.stringify(document)).toBe(before);
    if (count !== undefined) expect(tools.length).toBe(count);
  });

  it.each(calls.map((call, index) => ({ ...call, index })))("$operation, call $index", (call) => {
    const tool = find(call.operation);
    const build = () =>
      buildRequest(tool, toInput(tool, call), {
        ...(call.baseUrl !== undefined && { baseUrl: call.baseUrl }),
        ...(call.secrets !== undefined && { secrets: call.secrets }),
      });
    if (call.throws !== undefined) {
      const thrown = (() => {
        try {
          return build();
        } catch (error) {
          return error;
        }
      })();
      expect(ToolError.is(thrown), JSON.stringify(thrown)).toBe(true);
      expect((thrown as Error).message).toMatch(new RegExp(call.throws));
      return;
    }
    if (call.given !== undefined) expect(validateValue(tool.inputSchema, toInput(tool, call))).toMatchObject({ ok: true });
    const request = build();
    expect(request.method).toBe(call.operation.split(" ")[0]);
    if (call.url !== undefined) expect(request.url).toBe(call.url);
    if (call.headers !== undefined) {
      const { "content-type": type, ...others } = request.headers;
      expect("content-type" in call.headers ? { ...others, "content-type": type } : others).toEqual(call.headers);
    }
    if (call.body !== undefined) expect(request.body).toBe(call.body);
    else if (call.bytes !== undefined) expect([...(request.body as Uint8Array)]).toEqual(call.bytes);
    else if (call.parts !== undefined)
      expect(
        (request.body as MultipartBody).parts.map(({ value, ...part }) =>
          typeof value === "string" ? { ...part, value } : { ...part, bytes: [...value] },
        ),
      ).toEqual(call.parts);
    else if (call.given !== undefined && call.given["body"] === undefined) expect(request.body).toBeUndefined();
    if (call.spread !== undefined) expect("spread" in describeOpenApiTool(tool).body!).toBe(call.spread);
    if (call.properties !== undefined) expect(Object.keys(tool.inputSchema["properties"] as object)).toEqual(call.properties);
  });
});
