import { ToolError } from "../../errors.ts";
import { defineDialect } from "../define-dialect.ts";
import type { Dialect } from "./dialect.ts";
import { generic } from "./generic.ts";
import { glm4 } from "./glm4.ts";
import { hermes } from "./hermes.ts";
import { llama3 } from "./llama3.ts";
import { mistral } from "./mistral.ts";
import { qwen } from "./qwen.ts";

/**
 * Every built-in dialect by its family. The first one whose `models` match decides: fine-tunes name their base model too, and it is the tune
 * that set the format, so "hermes" stands before the base models.
 */
export const dialects: {
  readonly hermes: typeof hermes;
  readonly qwen: typeof qwen;
  readonly mistral: typeof mistral;
  readonly glm4: typeof glm4;
  readonly llama3: typeof llama3;
  readonly generic: typeof generic;
} = Object.freeze({ hermes, qwen, mistral, glm4, llama3, generic });

/** The family of a built-in dialect. */
export type ModelFamily = keyof typeof dialects;

export interface DialectOptions {
  /** A built-in family, or a dialect of your own, whatever the model's name says. */
  readonly family?: ModelFamily | Dialect;
  /** Dialects of your own, tried before the built-in ones. */
  readonly dialects?: readonly Dialect[];
}

/** The dialect of a model, by its name. A model that no dialect matches gets `generic`. */
export function dialectFor(model: string, { family, dialects: own = [] }: DialectOptions = {}): Dialect {
  if (typeof family === "object") return defineDialect(family);
  if (family === undefined)
    return own.map((dialect) => defineDialect(dialect)).find((dialect) => speaks(dialect, model)) ?? dialects[detectModelFamily(model)];
  const named = own.find((dialect) => dialect.family === family);
  if (named !== undefined) return defineDialect(named);
  if (Object.hasOwn(dialects, family)) return dialects[family];
  throw new ToolError(
    "CONFIG_INVALID",
    `There is no dialect "${String(family)}". Use one of ${Object.keys(dialects).join(", ")}, or a value of defineDialect.`,
  );
}

/** The family whose tool format a model was trained on, read from its name: "hermes-3-llama-3.1-8b" is Hermes, "qwen2.5-coder:32b" Qwen. */
export function detectModelFamily(model: string): ModelFamily {
  return Object.values(dialects).find((dialect) => speaks(dialect, model))?.family ?? "generic";
}

function speaks({ models }: Dialect, model: string): boolean {
  return models?.test(model) === true;
}
