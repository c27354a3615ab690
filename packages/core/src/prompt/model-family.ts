import type { ModelFamily } from "./dialects/dialect.ts";

/**
 * The family whose tool format a model was trained on, read from its name: "hermes-3-llama-3.1-8b" is Hermes, "qwen2.5-coder:32b" Qwen.
 * The first match decides: fine-tunes name their base model too, and it is the tune that set the format.
 */
export function detectModelFamily(model: string): ModelFamily {
  const name = model.toLowerCase();
  return families.find(([, pattern]) => pattern.test(name))?.[0] ?? "generic";
}

const families: readonly (readonly [ModelFamily, RegExp])[] = [
  ["hermes", /hermes|\bnous\b/],
  ["qwen", /qwen|qwq|deepseek-r1-distill-qwen/],
  ["mistral", /mistral|mixtral|ministral|codestral|devstral|magistral|pixtral/],
  ["glm4", /\bglm[-_. ]?(?:4|z1|5)|chatglm[-_]?4|codegeex/],
  ["llama3", /llama[-_. ]?(?:guard[-_. ]?)?v?3|llama[-_. ]?4/],
];
