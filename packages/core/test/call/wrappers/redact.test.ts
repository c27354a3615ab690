import fc from "fast-check";
import { cpuTime } from "@toolrack/testkit/cpu-time";
import { describe, expect, it } from "vitest";
import { createRedaction, type RedactionOptions } from "../../../src/call/wrappers/redact.ts";
import { fakeCall } from "../../../src/testing/fake-call.ts";
import { wrapperContract } from "../../../src/testing/wrapper-contract.ts";
import type { ToolFailure, ToolResult, ToolSuccess } from "../../../src/tool/result.ts";

const secret = 'sk-"4711"\n/+äß';

function redact(result: ToolResult, options: RedactionOptions = { values: () => [secret], fields: ["password", "apiKey"] }): ToolResult {
  return createRedaction(options).finish!(result, fakeCall()) as ToolResult;
}
const success = (content: string, more: Partial<ToolSuccess> = {}): ToolResult => fakeCall().succeed(content, more);

describe("createRedaction", () => {
  for (const check of wrapperContract("redact", () => createRedaction({ fields: ["password"], values: () => ["planted-secret"] })))
    it(check.name, check.run);

  it("lets no planted secret leave in any part of a success", () => {
    const result = redact(
      success(`key=${secret}; ${JSON.stringify({ key: secret })}`, {
        data: {
          list: [{ text: `a ${secret} b` }],
          [`key ${secret}`]: 1,
          url: new URL(`https://x.test/?key=${encodeURIComponent(secret)}`),
        },
        blocks: [
          { type: "text", text: secret },
          { type: "json", data: { deep: [secret] } },
          { type: "resource_link", uri: `https://x.test/?key=${encodeURIComponent(secret)}`, name: secret, description: secret },
          { type: "image", data: "AAAA", mimeType: "image/png" },
        ],
        effects: [{ kind: "http", action: "get", target: secret }],
        meta: { callId: "c", tool: "t", durationMs: 0, warnings: [secret], repairs: [secret] },
      }),
    );
    expect(JSON.stringify(result)).not.toContain("4711");
    expect(result).toMatchObject({
      ok: true,
      content: 'key=[redacted]; {"key":"[redacted]"}',
      data: { list: [{ text: "a [redacted] b" }], "key [redacted]": 1 },
    });
  });

  it("lets no planted secret leave in any part of a failure", () => {
    const call = fakeCall();
    const issue = {
      path: `/${secret}`,
      keyword: "type",
      message: `It is ${secret}.`,
      expected: secret,
      received: secret,
      suggestion: secret,
    };
    const failed = call.fail("INPUT_INVALID", `It is ${JSON.stringify(secret)}.`, {
      issues: [issue],
      approval: { tool: "t", digest: "d", reason: secret },
    });
    const result = redact(failed);
    expect(JSON.stringify(result)).not.toContain("4711");
    expect(result).toMatchObject({ ok: false, code: "INPUT_INVALID", error: 'It is "[redacted]".' });
  });

  it("hides named fields in data and in JSON text, in any case and at any depth", () => {
    const data = { user: { Password: "p", name: "n" }, list: [{ APIKEY: { nested: "k" } }], password: null };
    expect(redact(success(`The answer: ${JSON.stringify(data)}`, { data }))).toMatchObject({
      content: 'The answer: {"user":{"Password":"[redacted]","name":"n"},"list":[{"APIKEY":"[redacted]"}],"password":"[redacted]"}',
      data: { user: { Password: "[redacted]", name: "n" }, list: [{ APIKEY: "[redacted]" }], password: "[redacted]" },
    });
  });

  it("does not take the parts of a result itself for named fields", () => {
    const result = success("text", { blocks: [{ type: "text", text: "a" }], data: { content: "hidden", ok: 1 } });
    expect(redact(result, { fields: ["content", "ok", "text", "type", "data", "meta", "code"] })).toMatchObject({
      ok: true,
      content: "text",
      blocks: [{ type: "text", text: "a" }],
      data: { content: "[redacted]", ok: "[redacted]" },
    });
  });

  it("hides the value of a named field in the issue about it and in the failure's text", () => {
    const message = 'login.password must be at most 8 characters, but it is "hunter2-hunter2".';
    const issues = [
      {
        path: "/login/password",
        keyword: "maxLength",
        message,
        expected: "at most 8 characters",
        received: '"hunter2-hunter2"',
        suggestion: "hunter2",
      },
    ];
    const result = redact(fakeCall().fail("INPUT_INVALID", `The input is not valid:\n- ${message}`, { issues })) as ToolFailure;
    expect(JSON.stringify(result)).not.toContain("hunter2");
    expect(result.error).toBe("The input is not valid:\n- /login/password must be at most 8 characters, but it is [redacted].");
    expect(result.issues).toMatchObject([{ path: "/login/password", keyword: "maxLength", received: "[redacted]" }]);
  });

  it("hides a secret that is a number", () => {
    expect(redact(success("pin 471100", { data: { pin: 471100, other: 4711 } }), { values: () => ["471100"] })).toMatchObject({
      content: "pin [redacted]",
      data: { pin: "[redacted]", other: 4711 },
    });
  });

  it("gives the very same result back where there is nothing to hide", () => {
    const shared = { a: [1, { b: "c" }] };
    const result = success("nothing", {
      data: { shared, again: shared, when: new Date(0), bytes: Buffer.alloc(3) },
      blocks: [{ type: "json", data: shared }],
    });
    expect(redact(result)).toBe(result);
    expect(redact(result, {})).toBe(result);
  });

  it("copes with data that contains itself", () => {
    const data: Record<string, unknown> = { password: "p" };
    data["self"] = data;
    const { data: redacted } = redact(success("", { data })) as ToolSuccess<Record<string, unknown>>;
    expect(redacted!["password"]).toBe("[redacted]");
    expect(redacted!["self"]).toBe(redacted);
    expect(data["password"]).toBe("p");
  });

  it("keeps __proto__ an own key of the copy", () => {
    const data: unknown = JSON.parse('{"__proto__":{"polluted":1},"password":"p"}');
    const result = redact(success("", { data })) as ToolSuccess;
    expect(JSON.stringify(result.data)).toBe('{"__proto__":{"polluted":1},"password":"[redacted]"}');
  });

  it("withholds a result that cannot be searched", () => {
    const throwing = Object.defineProperty({}, "x", {
      enumerable: true,
      get: () => {
        throw new Error(secret);
      },
    });
    let deep: unknown = secret;
    for (let level = 0; level < 200_000; level++) deep = [deep];
    const broken: RedactionOptions = {
      values: () => {
        throw new Error("no secrets today");
      },
    };
    for (const result of [redact(success("x", { data: throwing })), redact(success("x", { data: deep })), redact(success("x"), broken)]) {
      expect(result).toMatchObject({ ok: false, code: "RESULT_INVALID", error: expect.stringContaining("withheld") });
      expect(JSON.stringify(result)).not.toContain("4711");
    }
  });

  it("takes the longer of two secrets first, and no empty one", () => {
    expect(redact(success("abcd abcdef"), { values: () => ["", "abcd", "abcdef"] })).toMatchObject({ content: "[redacted] [redacted]" });
  });

  it("asks for the secrets anew for each result", () => {
    const secrets = ["first"];
    const wrapper = createRedaction({ values: () => secrets });
    const finish = (): ToolResult => wrapper.finish!(success("first second"), fakeCall()) as ToolResult;
    expect(finish()).toMatchObject({ content: "[redacted] second" });
    secrets.push("second");
    expect(finish()).toMatchObject({ content: "[redacted] [redacted]" });
  });

  it("finds a secret wherever it is put in whatever data", () => {
    const planted = fc.stringMatching(/^[A-Z]{3}[A-Z0-9"\\\n]{5,12}$/);
    fc.assert(
      fc.property(planted, fc.jsonValue({ maxDepth: 3 }), fc.string(), (value, around, text) => {
        const data = { around, [`${text}${value}`]: [value, { inner: text + value + text }] };
        const result = redact(success(JSON.stringify(data), { data }), { values: () => [value] });
        expect(JSON.stringify(result)).not.toContain(JSON.stringify(value).slice(1, -1));
      }),
    );
  });

  it("stays linear in the length of the text", () => {
    const hostile = [
      '"'.repeat(500_000),
      "\\".repeat(500_000),
      '\\"'.repeat(300_000),
      '{"password":'.repeat(50_000),
      '"password"'.repeat(50_000),
      `"password":${" ".repeat(500_000)}`,
      "sk-".repeat(200_000),
    ];
    const started = cpuTime();
    for (const content of hostile) redact(success(content));
    expect(cpuTime() - started).toBeLessThan(20_000);
  });
});
