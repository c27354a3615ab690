import { describe, expect, it } from "vitest";
import type { McpError } from "../../../src/errors.ts";
import { ServedCall } from "../../../src/serve/client/served-call.ts";
import type { Exchange } from "../../../src/serve/exchange.ts";

const capabilities = { elicitation: {}, sampling: {}, roots: {}, extensions: { "a/b": { deep: { more: true } } } };

function callOf(exchange: Partial<Exchange>, answers: Record<string, unknown> = {}): ServedCall {
  return new ServedCall({ era: "modern", capabilities, ...exchange } as Exchange, answers);
}

describe("the client as a handler sees it", () => {
  it("is who it said it is", () => {
    const clientInfo = { name: "editor", version: "2.1" };
    expect(callOf({ clientInfo, era: "legacy" })).toMatchObject({ info: clientInfo, era: "legacy", capabilities });
    expect(callOf({ clientInfo: undefined }).info).toBeUndefined();
  });

  it("answers each question under a name of its own, in the order of the questions", async () => {
    const answer = { role: "assistant", content: { type: "text", text: "Hello." } };
    const roots = [{ uri: "file:///a", name: "a" }];
    const call = callOf({}, { "input-1": answer, "input-2": { roots }, "input-3": { action: "accept" }, mine: answer });
    expect(await call.sample({ maxTokens: 5 })).toEqual(answer);
    expect(await call.listRoots()).toEqual(roots);
    expect(await call.elicit({ message: "Go?", requestedSchema: { type: "object", properties: {} } })).toEqual({
      action: "accept",
      content: {},
    });
    expect(await call.sample({}, "mine")).toEqual(answer);
    expect(call.used).toEqual(["input-1", "input-2", "input-3", "mine"]);
    expect(call.missing).toBeUndefined();
  });

  it("is asked again with all questions that have no answer yet", async () => {
    const call = callOf({});
    await expect(call.sample({ maxTokens: 5 })).rejects.toMatchObject({ code: "APPROVAL_REQUIRED" });
    await expect(call.listRoots("folders")).rejects.toMatchObject({ code: "APPROVAL_REQUIRED" });
    expect(call.missing).toEqual({
      "input-1": { method: "sampling/createMessage", params: { maxTokens: 5 } },
      folders: { method: "roots/list", params: {} },
    });
  });

  it("is asked over its stream in the legacy era, and only for what it declares", async () => {
    const asked: unknown[] = [];
    const request = async (method: string, params: object) => (asked.push([method, params]), { roots: [{ uri: "file:///a" }] });
    expect(await callOf({ era: "legacy", request }).listRoots()).toEqual([{ uri: "file:///a" }]);
    expect(asked).toEqual([["roots/list", {}]]);
    await expect(callOf({ era: "legacy", request, capabilities: {} }).listRoots()).rejects.toThrow('"roots"');
    expect(asked).toHaveLength(1);
  });

  it("gives its answers to a task from then on, once the call is one", async () => {
    const call = callOf({});
    call.useInputs({ answers: async (requests) => Object.fromEntries(Object.keys(requests).map((key) => [key, { roots: [] }])) });
    expect(await call.listRoots()).toEqual([]);
    let tasks = 0;
    await call.becomeTask();
    call.escalate = async () => void tasks++;
    await call.becomeTask();
    expect(tasks).toBe(1);
  });
});

describe("a handler that ends the call with an error of the protocol", () => {
  it("says the code, the words and the data", () => {
    const call = callOf({});
    expect(() => call.fail(-32042, "Sign in first.", { url: "https://example.com" })).toThrow(
      expect.objectContaining({ code: "TOOL_FAILED", message: "Sign in first." }),
    );
    expect(call.refusal).toMatchObject({ code: -32042, message: "Sign in first.", data: { url: "https://example.com" } });
  });

  it.each<[needed: Record<string, unknown>]>([
    [{}],
    [{ elicitation: {} }],
    [{ elicitation: {}, roots: {} }],
    [{ extensions: { "a/b": {} } }],
    [{ extensions: { "a/b": { deep: { more: true } } } }],
    [{ extensions: { "a/b": true } }],
  ])("does not where the client declares what is needed: %j", (needed) => {
    const call = callOf({});
    call.requireCapabilities(needed as never);
    expect(call.refusal).toBeUndefined();
  });

  it.each<[needed: Record<string, unknown>, names: string]>([
    [{ tasks: {} }, "tasks"],
    [{ elicitation: {}, tasks: {} }, "elicitation, tasks"],
    [{ extensions: { "c/d": {} } }, "extensions"],
    [{ extensions: { "a/b": { other: {} } } }, "extensions"],
    [{ extensions: { "a/b": { deep: { more: { yet: {} } } } } }, "extensions"],
    [{ toString: {} }, "toString"],
  ])("names what is needed where something of it is missing: %j", (needed, names) => {
    const call = callOf({});
    const message = `This needs capabilities that the client does not declare: ${names}.`;
    expect(() => call.requireCapabilities(needed as never)).toThrow(message);
    expect(call.refusal as McpError).toMatchObject({ message, data: { requiredCapabilities: needed } });
  });
});

describe("what a handler tells the client", () => {
  it.each<[wanted: Exchange["logLevel"], told: string[]]>([
    [undefined, []],
    ["error", ["error"]],
    ["info", ["info", "error"]],
  ])("reaches it from the level on that it wants: %s", (logLevel, told) => {
    const sent: [string, object][] = [];
    const call = callOf({ logLevel, notify: (method, params) => void sent.push([method, params]) });
    call.log("info", { step: 1 }, "shop");
    call.log("error", "broken");
    const all = [
      { level: "info", logger: "shop", data: { step: 1 } },
      { level: "error", data: "broken" },
    ];
    expect(sent).toEqual(all.filter(({ level }) => told.includes(level)).map((params) => ["notifications/message", params]));
  });

  it("ends with its stream, when the handler closes it", () => {
    let closed = 0;
    callOf({ closeStream: () => void closed++ }).closeStream();
    expect(closed).toBe(1);
  });
});
