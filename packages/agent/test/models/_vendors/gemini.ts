import { geminiModel } from "../../../src/models/gemini.ts";
import { counts, type HeardTurn, type Reply, type StandIn } from "../_reply.ts";

/** Gemini: each event is a response with some parts; calls come whole. */
export const gemini: StandIn = {
  name: "geminiModel",
  open: geminiModel,
  base: "/v1beta",
  path: "/v1beta/models/stand-in:streamGenerateContent",
  query: "alt=sse",
  contentType: "text/event-stream",
  key: ["x-goog-api-key", ""],
  write,
  endsAfter: (events) => events.length,
  errorEvent: (kind) =>
    event({
      error:
        kind === "overloaded"
          ? { code: 503, message: "Overloaded", status: "UNAVAILABLE" }
          : { code: 400, message: "Wrong", status: "INVALID_ARGUMENT" },
    }),
  errorBody: (message) => ({ error: { code: 400, message, status: "SOME_ERROR" } }),
  read(body) {
    const { systemInstruction, contents, tools, generationConfig } = body as {
      systemInstruction?: { parts: Part[] };
      contents: { role: "user" | "model"; parts: Part[] }[];
      tools?: { functionDeclarations: { name: string }[] }[];
      generationConfig?: { maxOutputTokens?: number };
    };
    return {
      instructions: systemInstruction?.parts.map(({ text }) => text).join("") ?? "",
      turns: contents.flatMap(heard),
      tools: tools?.flatMap(({ functionDeclarations }) => functionDeclarations.map(({ name }) => name)) ?? [],
      ...(generationConfig?.maxOutputTokens !== undefined && { maxTokens: generationConfig.maxOutputTokens }),
    };
  },
  event,
  tellsCached: true,
  tellsRefusal: true,
};

interface Part {
  readonly text?: string;
  readonly inlineData?: { readonly data: string };
  readonly functionCall?: { readonly name: string; readonly args: unknown };
  readonly functionResponse?: { readonly response: { readonly output?: unknown; readonly error?: string }; readonly parts?: Part[] };
}

function heard({ role, parts }: { readonly role: "user" | "model"; readonly parts: readonly Part[] }): readonly HeardTurn[] {
  const results = parts.flatMap(({ functionResponse }): HeardTurn[] => {
    if (functionResponse === undefined) return [];
    const { response, parts: inner = [] } = functionResponse;
    const output = typeof response.output === "string" ? response.output : JSON.stringify(response.output);
    return [{ role: "result", text: response.error ?? output, ...imagesIn(inner), ...(response.error !== undefined && { failed: true }) }];
  });
  if (results.length > 0) return results;
  const calls = parts.flatMap(({ functionCall }) =>
    functionCall === undefined ? [] : [{ name: functionCall.name, input: functionCall.args }],
  );
  const text = parts.map((part) => part.text ?? "").join("");
  return [{ role: role === "model" ? "assistant" : "user", text, ...imagesIn(parts), ...(calls.length > 0 && { calls }) }];
}

function imagesIn(parts: readonly Part[]): Pick<HeardTurn, "images"> {
  const images = parts.flatMap(({ inlineData }) => (inlineData === undefined ? [] : [inlineData.data]));
  return images.length > 0 ? { images } : {};
}

function event(value: unknown): string {
  return `data: ${JSON.stringify(value)}\r\n\r\n`;
}

function write({ thinking = [], text = [], calls = [], stop = "finished" }: Reply): readonly string[] {
  const parts: object[][] = [...thinking.map((thought) => [{ text: thought, thought: true }]), ...text.map((piece) => [{ text: piece }])];
  if (calls.length > 0)
    parts.push(
      calls.map(({ name, input }, index) => {
        const isCut = stop === "length" && index === calls.length - 1;
        return {
          functionCall: { name, ...(!isCut && { args: input }) },
          ...(index === 0 && thinking.length > 0 && { thoughtSignature: "Z2VtaW5p" }),
        };
      }),
    );
  const usageMetadata = {
    promptTokenCount: counts.input,
    cachedContentTokenCount: counts.cached,
    candidatesTokenCount: counts.output - 20,
    thoughtsTokenCount: 20,
  };
  const chunks = parts.map((some) => ({ candidates: [{ content: { role: "model", parts: some }, index: 0 }], modelVersion: "stand-in" }));
  const finishReason = stop === "length" ? "MAX_TOKENS" : stop === "refused" ? "SAFETY" : "STOP";
  const last = {
    candidates: [{ content: { role: "model", parts: [{ text: "" }] }, finishReason, index: 0 }],
    usageMetadata,
    modelVersion: "stand-in",
  };
  return [...chunks, last].map(event);
}
