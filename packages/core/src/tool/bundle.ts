/** A named set of tools for one kind of agent. */
export interface ToolBundle {
  readonly name: string;
  readonly description: string;
  /** Tools without which the agent cannot do its work. */
  readonly required: readonly string[];
  /** Tools that make it better, and are taken when they are there. */
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

export function defineBundle(bundle: ToolBundle): ToolBundle {
  return Object.freeze({ ...bundle, required: Object.freeze([...bundle.required]), optional: Object.freeze([...bundle.optional]) });
}
