import { defineTool, type ToolDefinition, ToolError } from "@toolrack/core";

export interface StaticLink {
  /** "GitHub" */
  readonly name: string;
  readonly url: string;
  /** A sign in front of the name: "🐙". */
  readonly icon?: string;
}

export interface StaticLinksOptions {
  /** Profiles at social networks. */
  readonly social?: readonly StaticLink[];
  /** All other links. */
  readonly custom?: readonly StaticLink[];
  /** The text that stands for a video until its address is known. @default "[YouTube: add the link here]" */
  readonly youtubePlaceholder?: string;
}

/** The links that belong into every post. They come from the options alone. Throws CONFIG_INVALID for an address that is none. */
export function createStaticLinks(options: StaticLinksOptions = {}): ToolDefinition {
  const { social = [], custom = [], youtubePlaceholder = "[YouTube: add the link here]" } = options;
  for (const { name, url } of [...social, ...custom]) {
    if (URL.canParse(url) && /^(?:https?|mailto):$/.test(new URL(url).protocol)) continue;
    throw new ToolError(
      "CONFIG_INVALID",
      `The link "${name}" of static_links needs an address such as "https://example.com", not "${url}".`,
    );
  }
  const byAction = { get_all: [...social, ...custom], get_social: social, get_custom: custom, get_youtube_placeholder: [] } as const;
  return defineTool({
    name: "static_links",
    title: "Links for posts",
    description: "Lists the links that belong into every post: social profiles, other links, or the placeholder for a video.",
    inputSchema: {
      type: "object",
      properties: { action: { type: "string", enum: Object.keys(byAction), default: "get_all", description: "Which links." } },
      additionalProperties: false,
    },
    outputSchema: {
      type: "object",
      properties: {
        links: {
          type: "array",
          items: {
            type: "object",
            properties: { name: { type: "string" }, url: { type: "string" }, icon: { type: "string" } },
            required: ["name", "url"],
          },
        },
        markdown: { type: "string", description: "The same, ready to be put into a post." },
      },
      required: ["links", "markdown"],
    },
    metadata: {
      category: "publish",
      optionality: "optional",
      usageHint: "Before a post is published, to end it with the usual links.",
      examples: [{ description: "Social profiles", input: { action: "get_social" }, usage: "result.markdown" }],
      annotations: { readOnly: true, idempotent: true, openWorld: false },
      groups: ["publish"],
    },
    handler(input) {
      const { action = "get_all" } = input as { action?: keyof typeof byAction };
      if (action === "get_youtube_placeholder") return { links: [], markdown: youtubePlaceholder };
      const links = byAction[action].map(({ name, url, icon }) => ({ name, url, ...(icon !== undefined && { icon }) }));
      return { links, markdown: links.map(toMarkdown).join("\n") };
    },
  });
}

function toMarkdown({ name, url, icon }: StaticLink): string {
  const text = `${icon === undefined ? "" : `${icon} `}${name}`.replace(/[\\[\]]/g, "\\$&");
  return `- [${text}](${new URL(url).href.replaceAll("(", "%28").replaceAll(")", "%29")})`;
}
