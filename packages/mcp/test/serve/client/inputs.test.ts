import { describe, expect, it } from "vitest";
import type { InputRequest } from "../../../src/serve/client/client.ts";
import { canAnswer, carriedInputs, fits, requestedInputs, requireInputCapabilities } from "../../../src/serve/client/inputs.ts";
import type { Exchange } from "../../../src/serve/exchange.ts";

const form: InputRequest = {
  method: "elicitation/create",
  params: { message: "Name?", requestedSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] } },
};
const url: InputRequest = { method: "elicitation/create", params: { mode: "url", url: "https://example.com" } };
const sampling: InputRequest = { method: "sampling/createMessage", params: {} };
const roots: InputRequest = { method: "roots/list", params: {} };
const accept = { action: "accept", content: { name: "Ada" } };

describe("whether a client can answer", () => {
  it.each<[what: string, InputRequest, yes: readonly Record<string, unknown>[], no: readonly Record<string, unknown>[]]>([
    [
      "a form",
      form,
      [{ elicitation: {} }, { elicitation: { form: {} } }, { elicitation: { form: {}, url: {} } }],
      [{}, { elicitation: true }, { elicitation: { url: {} } }],
    ],
    [
      "an address",
      url,
      [{ elicitation: { url: {} } }],
      [{}, { elicitation: {} }, { elicitation: { form: {} } }, { elicitation: { url: true } }],
    ],
    ["a message", sampling, [{ sampling: {} }], [{}, { elicitation: {} }]],
    ["its folders", roots, [{ roots: {} }], [{}, { sampling: {} }]],
  ])("%s", (_what, request, yes, no) => {
    for (const capabilities of yes) expect(canAnswer(request, capabilities), JSON.stringify(capabilities)).toBe(true);
    for (const capabilities of no) expect(canAnswer(request, capabilities), JSON.stringify(capabilities)).toBe(false);
  });

  it("is checked before it is asked, and the missing capability is named", () => {
    const refused = (request: InputRequest, capability: string) =>
      expect(() => requireInputCapabilities({ one: request }, {})).toThrow(
        expect.objectContaining({
          code: "ANSWER_UNAVAILABLE",
          message: `Nobody can be asked: the client does not declare the capability "${capability}".`,
        }),
      );
    refused(form, "elicitation.form");
    refused(url, "elicitation.url");
    refused(sampling, "sampling");
    refused(roots, "roots");
    expect(() => requireInputCapabilities({ one: form, two: roots }, { elicitation: {}, roots: {} })).not.toThrow();
    expect(() => requireInputCapabilities({ one: form, two: roots }, { elicitation: {} })).toThrow('"roots"');
  });
});

describe("the answer to a question", () => {
  it.each<[what: string, InputRequest, good: readonly unknown[], bad: readonly unknown[]]>([
    [
      "a form",
      form,
      [accept, { action: "decline" }, { action: "cancel" }],
      [null, "accept", {}, { action: "maybe" }, { action: "accept" }, { action: "accept", content: { name: 5 } }],
    ],
    ["a message", sampling, [{ role: "assistant", content: {} }], [null, { role: "assistant" }, { content: {} }]],
    [
      "folders",
      roots,
      [{ roots: [] }, { roots: [{ uri: "file:///a" }] }],
      [{}, { roots: {} }, { roots: [{}] }, { roots: [{ uri: 5 }] }, { roots: ["x"] }],
    ],
  ])("has the form that was asked for: %s", (_what, request, good, bad) => {
    for (const answer of good) expect(fits(request, answer), JSON.stringify(answer)).toBe(true);
    for (const answer of bad) expect(fits(request, answer), JSON.stringify(answer)).toBe(false);
  });
});

describe("answers that came with the request", () => {
  const asked = (known: object) => {
    const told: unknown[] = [];
    const source = carriedInputs(known as never, { used: (key) => void told.push(key), missing: (requests) => void told.push(requests) });
    return { told, answers: source.answers({ a: form, b: roots }) };
  };

  it("are used, each once they all fit", async () => {
    const known = { a: accept, b: { roots: [] }, more: 1 };
    const { told, answers } = asked(known);
    expect(await answers).toBe(known);
    expect(told).toEqual(["a", "b"]);
  });

  it("end the call with the questions that are left, where one is missing or wrong", async () => {
    for (const known of [{ a: accept }, { a: accept, b: { roots: 5 } }]) {
      const { told, answers } = asked(known);
      await expect(answers).rejects.toMatchObject({ code: "APPROVAL_REQUIRED", message: "The call waits for an answer of the client." });
      expect(told).toEqual(["a", "b", { b: roots }]);
    }
    const { told, answers } = asked(Object.create({ a: accept, b: { roots: [] } }) as object);
    await expect(answers).rejects.toThrow("waits for an answer");
    expect(told.at(-1)).toEqual({ a: form, b: roots });
  });
});

describe("answers that are asked for over a stream", () => {
  it("come from the client, each for its question", async () => {
    const sent: unknown[] = [];
    const request = async (method: string, params: object) => (
      sent.push([method, params]),
      method === "roots/list" ? { roots: [] } : accept
    );
    expect(await requestedInputs({ request } as unknown as Exchange).answers({ a: form, b: roots })).toEqual({
      a: accept,
      b: { roots: [] },
    });
    expect(sent).toEqual([
      ["elicitation/create", form.params],
      ["roots/list", roots.params],
    ]);
  });

  it("fail where the client cannot be asked, or answers something else", async () => {
    await expect(requestedInputs({} as Exchange).answers({ a: form })).rejects.toThrow(
      "Nobody can be asked: the client can only be asked over a stream that it reads.",
    );
    const wrong = { request: async () => ({ action: "maybe" }) } as unknown as Exchange;
    await expect(requestedInputs(wrong).answers({ a: form })).rejects.toMatchObject({
      code: "ANSWER_UNAVAILABLE",
      message: "Nobody can be asked: the client's answer to elicitation/create does not have the form that was asked for.",
    });
  });
});
