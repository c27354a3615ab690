import { nearestNames } from "@toolrack/json-schema/internal";
import { ToolError } from "../errors.ts";
import { defineProvider } from "./define-provider.ts";
import type { Provider } from "./provider.ts";
import type { WireShapes } from "./shapes/shapes.ts";
import { anthropic, anthropicStrict } from "./vendors/anthropic.ts";
import { bedrock } from "./vendors/bedrock.ts";
import { cohere } from "./vendors/cohere.ts";
import { deepSeek } from "./vendors/deepseek.ts";
import { gemini, geminiOpenApi } from "./vendors/gemini.ts";
import { generic } from "./vendors/generic.ts";
import { groq } from "./vendors/groq.ts";
import { mistral } from "./vendors/mistral.ts";
import { ollama } from "./vendors/ollama.ts";
import { openAi, openAiChat, openAiResponses, openAiStrict } from "./vendors/openai.ts";
import { openRouter } from "./vendors/openrouter.ts";
import { xai } from "./vendors/xai.ts";

// Each list stands beside its type, because declarations are made file by file and the compiler may not infer it. It checks that they agree.

/** The built-in vendors whose schemas differ. */
const withOwnSchema: readonly [
  typeof anthropic,
  typeof anthropicStrict,
  typeof openAi,
  typeof openAiStrict,
  typeof gemini,
  typeof geminiOpenApi,
  typeof bedrock,
  typeof mistral,
  typeof cohere,
  typeof groq,
  typeof deepSeek,
  typeof xai,
  typeof openRouter,
  typeof ollama,
  typeof generic,
] = [
  anthropic,
  anthropicStrict,
  openAi,
  openAiStrict,
  gemini,
  geminiOpenApi,
  bedrock,
  mistral,
  cohere,
  groq,
  deepSeek,
  xai,
  openRouter,
  ollama,
  generic,
];

/** Further wire formats with the schemas of one of those: OpenAI has two APIs, and "openai" means Responses. */
const withSharedSchema: readonly [typeof openAiResponses, typeof openAiChat] = [openAiResponses, openAiChat];

/** The name of a built-in vendor whose schemas are its own. */
export type SchemaTarget = (typeof withOwnSchema)[number]["name"];

/** The name of a built-in vendor: every schema target, and OpenAI's two wire formats by name. */
export type ProviderTarget = SchemaTarget | (typeof withSharedSchema)[number]["name"];

/** The types of every built-in vendor's wire format. */
export type TargetShapes = {
  [Vendor in (typeof withOwnSchema)[number] | (typeof withSharedSchema)[number] as Vendor["name"]]: Vendor extends Provider<
    string,
    infer Shapes
  >
    ? Shapes
    : never;
};

/** The types of a target's wire format: those of a built-in vendor by its name, those of `defineProvider` by the value. */
export type ShapesOf<Target extends VendorTarget> = Target extends ProviderTarget
  ? TargetShapes[Target]
  : Target extends Provider<string, infer Shapes>
    ? Shapes
    : WireShapes;

/** A vendor, as every function takes it: the name of a built-in one, or a value of `defineProvider`. */
export type VendorTarget = ProviderTarget | Provider;

/** The names of the built-in vendors that `adaptSchema` tells apart. */
export const schemaTargets: readonly SchemaTarget[] = withOwnSchema.map(({ name }) => name);

/** The names of all built-in vendors. */
export const providerTargets: readonly ProviderTarget[] = [...schemaTargets, ...withSharedSchema.map(({ name }) => name)];

const byName: ReadonlyMap<unknown, Provider> = new Map<unknown, Provider>(
  [...withOwnSchema, ...withSharedSchema].map((provider) => [provider.name, provider]),
);

/** A built-in vendor by its name, any other as it is. */
export function targetOf(provider: Provider): VendorTarget {
  return byName.get(provider.name) === provider ? (provider.name as ProviderTarget) : provider;
}

/** The vendor of a name, or the given one, checked. Throws CONFIG_INVALID for an unknown name or a value that is no provider. */
export function providerFor(target: VendorTarget): Provider {
  const builtIn = byName.get(target);
  if (builtIn !== undefined) return builtIn;
  if (typeof target === "object" && target !== null) return defineProvider(target);
  const [near] = nearestNames(String(target), providerTargets, 1);
  throw new ToolError(
    "CONFIG_INVALID",
    `There is no vendor "${String(target).slice(0, 64)}".${near === undefined ? "" : ` Did you mean "${near}"?`} Use one of ${providerTargets.join(", ")}, or a value of defineProvider.`,
  );
}
