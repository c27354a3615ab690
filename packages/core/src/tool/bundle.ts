import { isObject } from "@toolrack/json-schema/internal";
import { checkFields, type FieldsOf, listOf, required, someText, text } from "../util/check-fields.ts";

/** A named set of tools for one kind of agent. */
export interface ToolBundle {
  readonly name: string;
  readonly description: string;
  /** Tools that the agent needs. */
  readonly required: readonly string[];
  /** Tools that are added if they are available. */
  readonly optional: readonly string[];
}

const names = required(listOf("tool names", text.test));
const fields: FieldsOf<ToolBundle> = { name: required(someText), description: required(text), required: names, optional: names };

/** A frozen copy. Throws BUNDLE_INVALID with the field that is unknown, missing or wrong. */
export function defineBundle(bundle: ToolBundle): ToolBundle {
  const subject = isObject(bundle) && typeof bundle.name === "string" ? `Bundle "${bundle.name}"` : "A bundle";
  checkFields(bundle, fields, { subject, word: "field", code: "BUNDLE_INVALID" });
  const { name, description, required: needed, optional } = bundle;
  return Object.freeze({ name, description, required: Object.freeze([...needed]), optional: Object.freeze([...optional]) });
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
