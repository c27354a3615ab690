import { isObject } from "@toolrack/json-schema/internal";
import { ToolError } from "../errors.ts";

/** A named set of tools for one kind of agent. */
export interface ToolBundle {
  readonly name: string;
  readonly description: string;
  /** Tools that the agent needs. */
  readonly required: readonly string[];
  /** Tools that are added if they are available. */
  readonly optional: readonly string[];
}

export const codeAgentBundle: ToolBundle = defineBundle({
  name: "code_agent",
  description: "Standard tools for code manipulation agents",
  required: ["file", "code_edit", "search", "navigate", "git"],
  optional: ["bash", "test", "web_search"],
});

export const blogAgentBundle: ToolBundle = defineBundle({
  name: "blog_agent",
  description: "Tools for blog content creation",
  required: [],
  optional: ["rss_feed", "calendar", "static_links", "blog_notion", "web_search"],
});

/** A frozen copy. Throws BUNDLE_INVALID with the field that is wrong. */
export function defineBundle(bundle: ToolBundle): ToolBundle {
  const { name, description, required, optional } = isObject(bundle) ? bundle : ({} as Partial<ToolBundle>);
  const wrong = (field: string, expected: string): ToolError =>
    new ToolError("BUNDLE_INVALID", `Bundle "${String(name)}": ${field} must be ${expected}.`);
  if (typeof name !== "string" || name === "") throw wrong("name", "a text");
  if (typeof description !== "string") throw wrong("description", "a text");
  if (!isTexts(required)) throw wrong("required", "a list of tool names");
  if (!isTexts(optional)) throw wrong("optional", "a list of tool names");
  return Object.freeze({ name, description, required: Object.freeze([...required]), optional: Object.freeze([...optional]) });
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}
