import type { JsonSchema } from "@toolrack/json-schema";
import { ToolError } from "../errors.ts";
import { standardCategories } from "../tool/categories.ts";
import type { ToolDefinition } from "../tool/tool.ts";
import { checkArgument, describeKind } from "../util/check-fields.ts";
import { registryArguments } from "./option-fields.ts";
import type { Registry } from "./registry.ts";

type ListMethods = Pick<Registry, "list" | "listByCategory" | "listByOptionality" | "categories" | "describe" | "schemas" | "applyBundle">;

/** The methods that answer with tools on offer, whoever asks. */
export function createListMethods(list: () => readonly ToolDefinition[]): ListMethods {
  return {
    list(...given: readonly unknown[]) {
      if (given[0] === undefined) return list();
      const others = "For the tools of one caller use view(caller).tools, for those of a category listByCategory(category).";
      throw new ToolError("CONFIG_INVALID", `list takes no options, and was given ${describeKind(given[0])}. ${others}`);
    },
    listByCategory: (category) => list().filter((tool) => tool.metadata?.category === category),
    listByOptionality: (optionality) => list().filter((tool) => tool.metadata?.optionality === optionality),
    categories() {
      const counts = new Map<string, number>(standardCategories.map(({ name }) => [name, 0]));
      for (const { metadata } of list())
        if (metadata?.category !== undefined) counts.set(metadata.category, (counts.get(metadata.category) ?? 0) + 1);
      const descriptions = new Map(standardCategories.map(({ name, description }) => [name, description]));
      return [...counts].map(([name, tools]) => ({ name, ...(descriptions.has(name) && { description: descriptions.get(name)! }), tools }));
    },
    describe: () => list().map(({ name, description, inputSchema }) => ({ name, description, parameters: inputSchema })),
    schemas() {
      const schemas: Record<string, JsonSchema> = Object.create(null);
      for (const { name, inputSchema } of list()) schemas[name] = inputSchema;
      return schemas;
    },
    applyBundle(bundle) {
      checkArgument(bundle, registryArguments.bundle, "applyBundle");
      const onOffer = new Map(list().map((tool) => [tool.name, tool]));
      const found = (names: readonly string[]): ToolDefinition[] => names.flatMap((name) => onOffer.get(name) ?? []);
      const missing = (names: readonly string[]): string[] => names.filter((name) => !onOffer.has(name));
      return {
        tools: found([...new Set([...bundle.required, ...bundle.optional])]),
        missing: missing(bundle.required),
        missingOptional: missing(bundle.optional),
      };
    },
  };
}
