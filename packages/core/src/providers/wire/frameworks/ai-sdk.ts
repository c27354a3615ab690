import { isObject } from "@toolrack/json-schema/internal";
import type { ToolDefinition } from "../../../tool/tool.ts";
import type { AbortSignal } from "../../../util/abort-signal.ts";
import { aiSdkSchema, type AiSdkSchema } from "./_ai-sdk-schema.ts";
import { partsOfOutput, toOutput } from "./_parts-output.ts";
import { callOrThrow, compileForFramework, type FrameworkOptions, type ResultPart } from "./framework.ts";

/** A tool as `generateText({ tools })` of the package ai takes it, from version 5 on. */
export interface AiSdkTool {
  description: string;
  inputSchema: AiSdkSchema;
  // Any: data, text, or { content, details } for a result with images; what the registry validates is what the model sent.
  execute(input: any, options?: AiSdkCall): Promise<any>;
  /** What the model is shown of an output: images as images. */
  // Any: versions differ in what they pass and in how they write an image.
  toModelOutput(given: any): any;
}

export interface AiSdkCall {
  readonly toolCallId?: string;
  readonly abortSignal?: AbortSignal;
}

/** Tools for the AI SDK, by the name under which the model sees them. */
export function toAiSdk(tools: readonly ToolDefinition[], options: FrameworkOptions): Record<string, AiSdkTool> {
  // The form of images that versions 6 and 7 take, until a call tells that it is 7, where this form is deprecated.
  let writeImage = writers.version6;
  return Object.fromEntries(
    compileForFramework("toAiSdk", tools, options).map(({ tool, wireName, schema, decode }) => {
      const made: AiSdkTool = {
        description: tool.description,
        inputSchema: aiSdkSchema(schema),
        async execute(input, call) {
          if (call !== undefined && "context" in call) writeImage = writers.version7;
          const { abortSignal: signal, toolCallId: callId } = call ?? {};
          return toOutput(
            await callOrThrow(tool, decode(input), options, { ...(signal && { signal }), ...(callId !== undefined && { callId }) }),
          );
        },
        toModelOutput(given) {
          // Version 5 passes the output itself.
          const isWrapped = isObject(given) && "toolCallId" in given && "output" in given;
          return modelOutput(isWrapped ? given["output"] : given, isWrapped ? writeImage : writers.version5);
        },
      };
      return [wireName, made];
    }),
  );
}

type Image = Extract<ResultPart, { type: "image" }>;

const writers = {
  version5: ({ data, mimeType: mediaType }: Image): object => ({ type: "media", data, mediaType }),
  version6: ({ data, mimeType: mediaType }: Image): object => ({ type: "image-data", data, mediaType }),
  version7: ({ data, mimeType: mediaType }: Image): object => ({ type: "file", data: { type: "data", data }, mediaType }),
};

function modelOutput(output: unknown, writeImage: (image: Image) => object): object {
  const parts = partsOfOutput(output);
  if (parts !== undefined) return { type: "content", value: parts.map((part) => (part.type === "text" ? part : writeImage(part))) };
  return typeof output === "string" ? { type: "text", value: output } : { type: "json", value: output ?? null };
}
