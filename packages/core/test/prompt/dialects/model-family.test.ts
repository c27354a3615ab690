import { expect, it } from "vitest";
import { detectModelFamily } from "../../../src/prompt/dialects/dialects.ts";

it.each([
  ["llama3.1:8b", "llama3"],
  ["meta-llama/Llama-3.3-70B-Instruct", "llama3"],
  ["Meta-Llama-3-8B-Instruct.Q4_K_M.gguf", "llama3"],
  ["llama-4-scout", "llama3"],
  ["qwen2.5-coder:32b", "qwen"],
  ["Qwen/Qwen3-30B-A3B", "qwen"],
  ["QwQ-32B", "qwen"],
  ["DeepSeek-R1-Distill-Qwen-14B", "qwen"],
  ["mistral-small-3.2", "mistral"],
  ["mistralai/Mixtral-8x7B-Instruct-v0.1", "mistral"],
  ["ministral-8b", "mistral"],
  ["codestral:22b", "mistral"],
  ["devstral-2", "mistral"],
  ["NousResearch/Hermes-3-Llama-3.1-8B", "hermes"],
  ["nous-hermes2-mixtral:8x7b", "hermes"],
  ["openhermes-2.5-mistral-7b", "hermes"],
  ["glm4:9b", "glm4"],
  ["THUDM/GLM-4-32B-0414", "glm4"],
  ["glm-4.6", "glm4"],
  ["llama2:13b", "generic"],
  ["phi-4", "generic"],
  ["gemma3:27b", "generic"],
  ["", "generic"],
  // row: G8
])("%s speaks %s", (model, family) => {
  expect(detectModelFamily(model)).toBe(family);
});
