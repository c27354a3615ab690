// The public names of @toolrack/agent/models, one by one.

export { anthropicModel, type AnthropicModelOptions } from "./anthropic.ts";
export { chatModel, type ChatModelOptions } from "./chat.ts";
export { geminiModel } from "./gemini.ts";
export { llmTool, type LlmToolOptions } from "./llm-tool.ts";
export { ollamaModel } from "./ollama.ts";
export { openaiModel } from "./openai.ts";
export { promptModel, type PromptModelOptions } from "./prompt.ts";
export type { ModelOptions } from "./shared/options.ts";
