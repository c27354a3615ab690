export interface FeedJob {
  readonly text: string;
  readonly limit: number;
}

export interface FeedItem {
  readonly title: string;
  readonly link: string;
  readonly published: string;
  readonly author: string;
  /** May contain HTML. */
  readonly summary: string;
}

/** Undefined where the text is no feed. */
export type FeedAnswer = { readonly title: string; readonly link: string; readonly items: readonly FeedItem[] } | undefined;

/** Reads RSS, Atom, RDF and JSON feeds. It runs in another thread, so it may use nothing but its parameters. */
export function readFeedProgram(load: (name: string) => unknown, { text, limit }: FeedJob): FeedAnswer {
  type Node = Readonly<Record<string, unknown>>;
  const { parseFeed } = load("feedsmith") as { parseFeed(text: string, options: object): { feed: Node } };
  let feed: Node;
  try {
    ({ feed } = parseFeed(text, { maxItems: limit }));
  } catch {
    return undefined;
  }
  const items = listOf(feed["items"] ?? feed["entries"]).slice(0, limit);
  return { title: textOf(feed["title"]), link: linkOf(feed), items: items.map(readItem) };

  function readItem(item: Node): FeedItem {
    const dublin = nodeOf(item["dc"]);
    return {
      title: textOf(item["title"]),
      link: linkOf(item),
      published: firstText([item["pubDate"], item["published"], item["date_published"], item["updated"], listOf(dublin["dates"], true)[0]]),
      author: listOf(item["authors"] ?? dublin["creators"], true)
        .map(nameOf)
        .filter(Boolean)
        .join(", "),
      summary: firstText([
        item["summary"],
        item["description"],
        item["content_text"],
        item["content_html"],
        item["content"],
        nodeOf(item["content"])["encoded"],
      ]),
    };
  }

  function linkOf(node: Node): string {
    const links = listOf(node["links"]);
    const page = links.find(({ rel }) => rel === undefined || rel === "alternate") ?? links[0];
    return firstText([node["link"], node["home_page_url"], node["url"], page?.["href"]]);
  }

  function nameOf(author: unknown): string {
    return firstText([nodeOf(author)["name"], nodeOf(author)["email"], author]);
  }

  function firstText(values: readonly unknown[]): string {
    for (const value of values) {
      const found = textOf(value);
      if (found !== "") return found;
    }
    return "";
  }

  /** Feeds have plain texts, and texts with a type: { value, type }. */
  function textOf(value: unknown): string {
    if (typeof value === "string") return value.trim().slice(0, 10_000);
    const inner = nodeOf(value)["value"];
    return typeof inner === "string" ? inner.trim().slice(0, 10_000) : "";
  }

  function nodeOf(value: unknown): Node {
    return typeof value === "object" && value !== null ? (value as Node) : {};
  }

  function listOf<Item = Node>(value: unknown, any?: boolean): readonly Item[] {
    if (!Array.isArray(value)) return [];
    return any === true ? value : value.filter((item) => typeof item === "object" && item !== null);
  }
}
