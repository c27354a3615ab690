import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { redactJsonText } from "../../src/util/redact-json-text.ts";

const names = new Set(["token"]);
const redact = (text: string): string => redactJsonText(text, (field) => names.has(field.toLowerCase()));

describe("redactJsonText", () => {
  it.each([
    ['{"token":"a"}', '{"token":"[redacted]"}'],
    ['{"token" :\n "a", "b": 1}', '{"token" :\n "[redacted]", "b": 1}'],
    ['{"TOKEN":"a\\"b\\\\","c":"d"}', '{"TOKEN":"[redacted]","c":"d"}'],
    ['{"token":123,"b":1}', '{"token":"[redacted]","b":1}'],
    ['{"token":null}', '{"token":"[redacted]"}'],
    ['{"token":{"a":[1,"}"]},"b":1}', '{"token":"[redacted]","b":1}'],
    ['{"token":["]",{"x":"y"}],"b":1}', '{"token":"[redacted]","b":1}'],
    ['so {"token":"a"} and {"token":"b"}.', 'so {"token":"[redacted]"} and {"token":"[redacted]"}.'],
    ['{"token":"cut of', '{"token":"[redacted]"'],
    ['{"a":"token","b":"c"}', '{"a":"token","b":"c"}'],
    ['{"a token":"b","token2":"c"}', '{"a token":"b","token2":"c"}'],
    ["no json, token: a", "no json, token: a"],
    ["", ""],
  ])("%j becomes %j", (text, expected) => {
    expect(redact(text)).toBe(expected);
  });

  it("hides a named field in JSON, however often that was put into JSON strings", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 2 }), fc.string(), fc.nat({ max: 3 }), (value, other, times) => {
        const wrapped = (data: unknown): string => {
          let text = JSON.stringify(data);
          for (let time = 0; time < times; time++) text = JSON.stringify({ body: text, other: 1 });
          return text;
        };
        fc.pre(!other.toLowerCase().includes("token") && !JSON.stringify(value).toLowerCase().includes("token"));
        expect(redact(wrapped({ token: value, other }))).toBe(wrapped({ token: "[redacted]", other }));
      }),
    );
  });
});
