import type { ReplyFixture } from "./reply.ts";

const answered = (...parts: object[]): object => ({ candidates: [{ index: 0, content: { role: "model", parts } }] });
const whole = (first: object, second: object): object => ({
  modelVersion: "gemini",
  responseId: "r1",
  candidates: [
    {
      index: 0,
      finishReason: "STOP",
      content: { role: "model", parts: [{ functionCall: first, thoughtSignature: "c2lnbmVk" }, { functionCall: second }] },
    },
  ],
});
const weather = { name: "weather", args: { city: "Berlin" } };
const filesRead = { name: "files_read", args: { path: "a" } };

/** GenerateContentResponse: calls without ids, with pieces of arguments as Vertex streams them, and calls with ids. */
export const geminiReplies: readonly ReplyFixture[] = [
  {
    target: "gemini",
    typings: "@google/genai 2.32.0",
    whole: whole(weather, filesRead),
    streamed: [
      answered({ functionCall: { name: "weather", willContinue: true } }),
      answered({ functionCall: { partialArgs: [{ jsonPath: "$.city", stringValue: "Ber", willContinue: true }], willContinue: true } }),
      answered({ functionCall: { partialArgs: [{ jsonPath: "$.city", stringValue: "lin" }], willContinue: true } }),
      answered({ functionCall: {} }),
      answered({ functionCall: filesRead }),
    ],
  },
  {
    target: "gemini-openapi",
    typings: "@google/genai 2.32.0",
    ids: ["a1", "b2"],
    whole: whole({ id: "a1", ...weather }, { id: "b2", ...filesRead }),
    streamed: [answered({ functionCall: { id: "a1", ...weather } }), answered({ functionCall: { id: "b2", ...filesRead } })],
  },
];
