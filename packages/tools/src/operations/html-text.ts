/** The text of HTML as a reader sees it: blocks on lines of their own, no scripts, no tags. One pass from left to right, whatever comes. */
export function htmlToText(html: string): string {
  const parts: string[] = [];
  for (const { kind, text, name } of readHtml(html)) {
    if (kind === "text") parts.push(text.replace(/\s+/g, " "));
    else if (kind === "tag" && breaks.has(name)) parts.push("\n");
  }
  const lines = parts
    .join("")
    .split("\n")
    .map((line) => decodeEntities(line).replace(/\s+/g, " ").trim());
  return lines
    .filter((line, index) => line !== "" || (index > 0 && lines[index - 1] !== ""))
    .join("\n")
    .trim();
}

/** The same HTML without what no reader sees: scripts, styles, drawings, comments. */
export function visibleHtml(html: string): string {
  const parts: string[] = [];
  for (const { kind, text } of readHtml(html)) if (kind !== "unseen") parts.push(text);
  return parts.join("");
}

const breaks: ReadonlySet<string> = new Set(
  "address article aside blockquote br dd div dl dt figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section table tr ul".split(
    " ",
  ),
);
const unseen: ReadonlySet<string> = new Set("script style noscript template iframe object svg math canvas".split(" "));

interface HtmlPart {
  readonly kind: "text" | "tag" | "unseen";
  readonly text: string;
  /** Of a tag, in lower case. */
  readonly name: string;
}

function* readHtml(html: string): Generator<HtmlPart> {
  let at = 0;
  while (at < html.length) {
    const start = html.indexOf("<", at);
    if (start !== at) yield { kind: "text", text: html.slice(at, start === -1 ? html.length : start), name: "" };
    if (start === -1) return;
    const part = readMarkup(html, start);
    yield part;
    at = start + part.text.length;
  }
}

/** What begins with the "<" at this place: a tag, something unseen, or a plain "<". */
function readMarkup(html: string, start: number): HtmlPart {
  const upTo = (kind: HtmlPart["kind"], end: number, name = ""): HtmlPart => ({ kind, text: html.slice(start, end), name });
  if (html.startsWith("<!--", start)) return upTo("unseen", after(html, "-->", start + 4));
  if (html[start + 1] === "!" || html[start + 1] === "?") return upTo("unseen", after(html, ">", start));
  const [tag] = /^<\/?[A-Za-z][A-Za-z0-9-]*/.exec(html.slice(start, start + 60)) ?? [];
  if (tag === undefined) return upTo("text", start + 1);
  const name = tag.replace(/^<\/?/, "").toLowerCase();
  const end = tagEnd(html, start + tag.length);
  if (!unseen.has(name)) return upTo("tag", end, name);
  const isClosed = tag.startsWith("</") || html[end - 2] === "/";
  return upTo("unseen", isClosed ? end : elementEnd(html, end, name));
}

/** The place after the ">" that is not inside of a quoted value. */
function tagEnd(html: string, from: number): number {
  for (let at = from; at < html.length; at++) {
    const character = html[at];
    if (character === ">") return at + 1;
    if ((character === '"' || character === "'") && html[at - 1] === "=") {
      at = html.indexOf(character, at + 1);
      if (at === -1) return html.length;
    }
  }
  return html.length;
}

/** The place after the end of an element that holds no HTML; the end of the text where it is never closed. */
function elementEnd(html: string, from: number, name: string): number {
  const closing = new RegExp(`</${name}(?=[\\s/>])`, "gi");
  closing.lastIndex = from;
  return closing.exec(html) === null ? html.length : after(html, ">", closing.lastIndex);
}

function after(html: string, mark: string, from: number): number {
  const found = html.indexOf(mark, from);
  return found === -1 ? html.length : found + mark.length;
}

const entities: ReadonlyMap<string, string> = new Map(
  Object.entries({
    amp: "&",
    lt: "<",
    gt: ">",
    quot: '"',
    apos: "'",
    nbsp: " ",
    ndash: "–",
    mdash: "—",
    hellip: "…",
    copy: "©",
    euro: "€",
  }),
);

function decodeEntities(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([A-Za-z]{2,8}));/g,
    (whole: string, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return entities.get(name) ?? whole;
      const code = decimal === undefined ? Number.parseInt(hex!, 16) : Number(decimal);
      return code > 0 && code <= 0x10_ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : whole;
    },
  );
}
