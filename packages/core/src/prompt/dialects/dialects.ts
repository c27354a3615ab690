import { detectModelFamily } from "../model-family.ts";
import type { Dialect, ModelFamily } from "./dialect.ts";
import { generic } from "./generic.ts";
import { glm4 } from "./glm4.ts";
import { hermes } from "./hermes.ts";
import { llama3 } from "./llama3.ts";
import { mistral } from "./mistral.ts";
import { qwen } from "./qwen.ts";

/** Every dialect by its family. */
export const dialects: Readonly<Record<ModelFamily, Dialect>> = Object.freeze({ llama3, qwen, mistral, hermes, glm4, generic });

/** The dialect of a model, by its name; `family` overrides what the name says. */
export function dialectFor(model: string, options: { readonly family?: ModelFamily } = {}): Dialect {
  return dialects[options.family ?? detectModelFamily(model)];
}
