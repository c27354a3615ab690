import { readFile } from "node:fs/promises";
import type { ToolDefinition } from "@toolrack/core";
import type { SafeFetchOptions } from "@toolrack/fetch";
import { createHttp } from "../operations/http.ts";
import { type BlogNotionOptions, createBlogNotion } from "./blog-notion.ts";
import { type CalendarsOptions, createCalendar } from "./calendar.ts";
import type { PublishOperations } from "./operations.ts";
import { type ConfiguredFeed, createRssFeed } from "./rss-feed.ts";
import { createStaticLinks, type StaticLinksOptions } from "./static-links.ts";

export interface PublishOptions {
  /** Feeds that rss_feed lists by name. */
  readonly feeds?: readonly ConfiguredFeed[];
  /** The calendars, by the name that models use. */
  readonly calendars?: CalendarsOptions;
  /** The links of static_links. */
  readonly links?: StaticLinksOptions;
  /** Where blog_notion publishes. */
  readonly notion?: BlogNotionOptions;
  /**
   * Limits of outgoing requests, and hosts that may be reached although their address is not public.
   * @default 20 seconds, 5 MiB, 5 redirects, no such host
   */
  readonly fetch?: SafeFetchOptions;
  /** Every way out, one by one replaceable. */
  readonly operations?: Partial<PublishOperations>;
}

/** Reading feeds and calendars, and publishing posts. Without `calendars` there is no tool `calendar`, and without `links` no `static_links`. */
export function createPublishTools(options: PublishOptions = {}): readonly ToolDefinition[] {
  const operations: PublishOperations = {
    http: createHttp({ timeoutMs: 20_000, maxBytes: 5_242_880, maxRedirects: 5, ...options.fetch }),
    readFile: (path) => readFile(path, "utf8"),
    ...options.operations,
  };
  return [
    createRssFeed(operations, options.feeds),
    ...(isEmpty(options.calendars) ? [] : [createCalendar(operations, options.calendars!)]),
    ...(isEmpty(options.links) ? [] : [createStaticLinks(options.links)]),
    createBlogNotion(operations, options.notion),
  ];
}

function isEmpty(options: object | undefined): boolean {
  return options === undefined || Object.keys(options).length === 0;
}
