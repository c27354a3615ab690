import type { PlainShapes, SdkEnum } from "./shapes.ts";

/** Gemini. */
export interface GeminiShapes extends PlainShapes {
  readonly declaration: GeminiDeclaration;
  readonly tool: { functionDeclarations: GeminiDeclaration[] };
  readonly message: GeminiContent;
  readonly choice: { toolConfig: { functionCallingConfig: GeminiChoice } };
  readonly reply: GeminiReply | readonly GeminiReply[];
}

export interface GeminiDeclaration {
  name: string;
  description: string;
  parametersJsonSchema?: { [keyword: string]: unknown };
  responseJsonSchema?: { [keyword: string]: unknown };
  parameters?: { [keyword: string]: unknown };
}

export interface GeminiContent {
  role: "user";
  parts: { functionResponse: GeminiResponse }[];
}

export interface GeminiResponse {
  id?: string;
  name: string;
  response: { [key: string]: unknown };
  parts?: { inlineData: { mimeType: string; data: string } }[];
}

export interface GeminiChoice {
  /** "AUTO", "ANY", "NONE" or "VALIDATED". */
  mode: SdkEnum;
  allowedFunctionNames?: string[];
}

/** A response, a candidate of it, or its content alone. */
export type GeminiReply =
  | { readonly candidates?: readonly object[]; readonly promptFeedback?: object }
  | { readonly content?: { readonly parts?: readonly object[] } }
  | { readonly parts?: readonly object[] };
