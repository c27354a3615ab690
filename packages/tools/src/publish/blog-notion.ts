import { setTimeout as delay } from "node:timers/promises";
import { type CallContext, defineTool, type ToolDefinition, ToolError, ToolInputError } from "@toolrack/core";
import { callService, type Service } from "../operations/service.ts";
import { block, type NotionBlock, toNotionBlocks, toRichText } from "./notion-blocks.ts";
import type { PublishOperations } from "./operations.ts";

export interface BlogNotionOptions {
  /** The database that posts go to. */
  readonly databaseId?: string;
  /** The secret that holds the key of the integration. @default "notion-api-key" */
  readonly secret?: string;
  /** Another address with Notion's API, for tests. @default Notion's own */
  readonly baseUrl?: string;
}

interface Settings {
  readonly databaseId?: string;
}

interface Post {
  readonly title: string;
  readonly expanded_draft: string;
  readonly original_dictation?: string;
  readonly suggested_titles?: readonly string[];
  readonly substack_tags?: readonly string[];
  readonly twitter_post?: string;
  readonly linkedin_post?: string;
  readonly bluesky_post?: string;
  readonly key_takeaways?: readonly string[];
  readonly target_audience?: string;
  readonly read_time?: string;
}

const texts = (description: string) => ({
  type: "array" as const,
  maxItems: 50,
  items: { type: "string" as const, minLength: 1, maxLength: 2_000 },
  description,
});
const text = (description: string, maxLength = 10_000) => ({ type: "string" as const, maxLength, description });

export function createBlogNotion(operations: PublishOperations, options: BlogNotionOptions = {}): ToolDefinition {
  const secret = options.secret ?? "notion-api-key";
  return defineTool({
    name: "blog_notion",
    title: "Publish a post to Notion",
    description: "Creates a page with a post in the configured Notion database: the draft, and what belongs to it as sections at its end.",
    inputSchema: {
      type: "object",
      properties: {
        title: { type: "string", minLength: 1, maxLength: 1_000, description: "The title of the post." },
        expanded_draft: { type: "string", minLength: 1, maxLength: 200_000, description: "The post, in Markdown." },
        original_dictation: text("What the post was written from.", 100_000),
        suggested_titles: texts("Other titles."),
        substack_tags: texts("Tags for Substack."),
        twitter_post: text("The announcement for Twitter."),
        linkedin_post: text("The announcement for LinkedIn."),
        bluesky_post: text("The announcement for Bluesky."),
        key_takeaways: texts("What a reader should remember."),
        target_audience: text("Who it is for.", 2_000),
        read_time: text('How long it takes to read: "6 minutes".', 100),
      },
      required: ["title", "expanded_draft"],
      additionalProperties: false,
    },
    outputSchema: {
      type: "object",
      properties: { page_id: { type: "string" }, url: { type: "string" } },
      required: ["page_id", "url"],
    },
    metadata: {
      category: "publish",
      optionality: "optional",
      usageHint: "When a post is finished. Every call creates another page.",
      examples: [
        {
          description: "A short post",
          input: { title: "Growing tea", expanded_draft: "# Growing tea\n\nTea wants rain, shade and patience." },
          usage: "result.url",
        },
      ],
      annotations: { readOnly: false, destructive: false, idempotent: false, openWorld: true },
      limits: { timeoutMs: 60_000, concurrency: 2 },
      groups: ["publish"],
      requiresCapabilities: ["network"],
      secrets: [secret],
      configSchema: {
        type: "object",
        properties: {
          databaseId: {
            type: "string",
            description: "The id of the Notion database that posts go to.",
            "x-toolrack-admin": true,
            ...(options.databaseId !== undefined && { default: options.databaseId }),
          },
        },
        required: ["databaseId"],
        additionalProperties: false,
      },
    },
    async handler(input, context) {
      const post = input as unknown as Post;
      const database = ((context.config ?? {}) as Settings).databaseId ?? options.databaseId;
      if (database === undefined)
        throw new ToolError(
          "NEEDS_CONFIGURATION",
          'The setting "databaseId" of "blog_notion" is not set. Save the id of a Notion database.',
        );
      const notion = await openNotion(operations, options, context, secret);
      const blocks = [...toNotionBlocks(post.expanded_draft), ...sectionsOf(post)];
      if (blocks.length > mostOfAPost)
        throw new ToolInputError(
          `The post has ${blocks.length} blocks (lines of lists, headings, paragraphs), and at most ${mostOfAPost} are written. Publish it in parts.`,
        );
      const page = readPage(
        await notion("POST", "/v1/pages", {
          parent: { database_id: database },
          properties: { title: { title: toRichText(post.title) } },
          children: blocks.slice(0, most),
        }).catch((error: unknown) => {
          throw mayExist(error);
        }),
      );
      for (let at = most; at < blocks.length; at += most) {
        context.progress({ progress: at, total: blocks.length, message: "Blocks written" });
        await notion("PATCH", `/v1/blocks/${encodeURIComponent(page.page_id)}/children`, { children: blocks.slice(at, at + most) }).catch(
          (error: unknown) => {
            throw incomplete(page.url, at, blocks.length, error);
          },
        );
      }
      return page;
    },
  });
}

/** Notion takes at most this many blocks at once. */
const most = 100;
/** At three requests a second, what is written within the time of a call. */
const mostOfAPost = 5_000;

type Notion = (method: string, path: string, body: object) => Promise<unknown>;

async function openNotion(
  operations: PublishOperations,
  { baseUrl }: BlogNotionOptions,
  { secret, signal }: Pick<CallContext, "secret" | "signal">,
  name: string,
): Promise<Notion> {
  const service: Service = { name: "Notion", defaultUrl: "https://api.notion.com", baseUrl, http: operations.http, signal };
  const headers = {
    authorization: `Bearer ${await secret(name)}`,
    "notion-version": "2022-06-28",
    "content-type": "application/json",
  };
  const send: Notion = (method, path, body) => callService(service, path, { method, headers, body: JSON.stringify(body) });
  // Notion takes three requests a second, and says how long to wait for the next one.
  return async (method, path, body) => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await send(method, path, body);
      } catch (error) {
        const wait = ToolError.is(error) && error.code === "RATE_LIMITED" ? (error.retryAfterMs ?? 1_000) : Infinity;
        if (attempt >= 5 || wait > 10_000) throw error;
        await delay(wait, undefined, { signal });
      }
    }
  };
}

/** What comes after the draft, each with its heading; what the post does not have is left out. */
function sectionsOf(post: Post): readonly NotionBlock[] {
  const section = (heading: string, content: readonly NotionBlock[]): readonly NotionBlock[] =>
    content.length === 0 ? [] : [block("heading_2", heading), ...content];
  const paragraph = (value: string | undefined): readonly NotionBlock[] =>
    value === undefined || value === "" ? [] : [block("paragraph", value)];
  const list = (values: readonly string[] = []): readonly NotionBlock[] => values.map((value) => block("bulleted_list_item", value));
  return [
    ...section("Key takeaways", list(post.key_takeaways)),
    ...section("Target audience", paragraph(post.target_audience)),
    ...section("Reading time", paragraph(post.read_time)),
    ...section("Suggested titles", list(post.suggested_titles)),
    ...section("Substack tags", list(post.substack_tags)),
    ...section("Twitter", paragraph(post.twitter_post)),
    ...section("LinkedIn", paragraph(post.linkedin_post)),
    ...section("Bluesky", paragraph(post.bluesky_post)),
    ...section("Original dictation", paragraph(post.original_dictation)),
  ];
}

function readPage(answer: unknown): { readonly page_id: string; readonly url: string } {
  const { id, url } = (answer ?? {}) as { readonly id?: unknown; readonly url?: unknown };
  if (typeof id === "string" && typeof url === "string") return { page_id: id, url };
  throw new ToolError("TOOL_FAILED", "Notion answered without the page that it created. Look in the database before you try again.");
}

/** A request that was not refused may have created the page, so that a retry would create a second one. */
function mayExist(error: unknown): unknown {
  if (!ToolError.is(error)) return error;
  // What Notion said no to has no cause, and is not worth another try.
  const isUnclear = error.code === "TOOL_FAILED" ? error.retryable || error.cause !== undefined : unclear.has(error.code);
  if (!isUnclear) return error;
  return new ToolError(error.code, `${error.message} The page may have been created. Look in the database before you publish again.`, {
    cause: error,
    retryable: false,
  });
}

const unclear: ReadonlySet<string> = new Set(["TIMEOUT", "RESULT_TOO_LARGE"]);

/** The page exists, so a retry of the call would create a second one. */
function incomplete(url: string, written: number, total: number, cause: unknown): ToolError {
  const why = cause instanceof Error ? ` ${cause.message}` : "";
  return new ToolError(
    "TOOL_FAILED",
    `The page ${url} was created, but only ${written} of its ${total} blocks were written.${why} Complete or delete it before you publish again.`,
    { cause, retryable: false },
  );
}
