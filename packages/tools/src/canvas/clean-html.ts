import { cleanCss } from "./clean-css.ts";

export interface CleanHtml {
  readonly html: string;
  /** What was left out, each once: "script", "a href". */
  readonly removed: readonly string[];
}

/**
 * HTML that is only seen: no scripts, forms, frames, links or anything else that loads or leaves the page. It is written anew from the tags and
 * attributes of two lists. One pass from left to right, whatever comes.
 */
export function cleanHtml(html: string): CleanHtml {
  const parts: string[] = [];
  const removed = new Set<string>();
  const nesting = createNesting();
  for (let at = 0; at < html.length;) {
    const start = html.indexOf("<", at);
    if (start === -1) {
      parts.push(textOf(html.slice(at)));
      break;
    }
    parts.push(textOf(html.slice(at, start)));
    at = readMarkup(html, start, parts, removed, nesting);
  }
  return { html: parts.join(""), removed: [...removed] };
}

/** Writes what begins with the "<" at this place; returns where it ends. */
function readMarkup(html: string, start: number, parts: string[], removed: Set<string>, nesting: Nesting): number {
  if (html.startsWith("<!--", start)) return after(html, "-->", start + 4);
  if (html[start + 1] === "!" || html[start + 1] === "?") return after(html, ">", start);
  const [tag] = /^<\/?[A-Za-z][A-Za-z0-9:-]*/.exec(html.slice(start, start + 64)) ?? [];
  if (tag === undefined) {
    parts.push("&lt;");
    return start + 1;
  }
  const isEnd = tag.startsWith("</");
  const name = tag.slice(isEnd ? 2 : 1).toLowerCase();
  const { attributes, end } = readAttributes(html, start + tag.length);
  if (name === "style" && !isEnd) return readStyle(html, end, parts, removed);
  if (withContent.has(name)) {
    if (!quiet.has(name)) note(removed, name);
    return isEnd ? end : afterEndTag(html, name, end);
  }
  if (!elements.has(name)) {
    if (!quiet.has(name)) note(removed, name);
    return end;
  }
  // Elsewhere a slash means nothing; in a drawing, what follows would become a part of the shape without it.
  const isClosed = drawings.has(name) && html[end - 2] === "/";
  const nests = !empty.has(name) && !endsItself.has(name) && !isClosed;
  if (nests && !(isEnd ? nesting.leave() : nesting.enter())) {
    if (!isEnd) note(removed, `elements nested more than ${maxDepth} deep`);
    return end;
  }
  if (isEnd) parts.push(empty.has(name) ? "" : `</${name}>`);
  else parts.push(`<${name}${attributes.map((one) => attributeText(name, one, removed)).join("")}${isClosed ? "/" : ""}>`);
  return end;
}

/** How deep the elements are that were written. */
interface Nesting {
  /** False where one more would be too deep: it is left out, and so is its end. */
  enter(): boolean;
  leave(): boolean;
}

const maxDepth = 200;

/** Browsers lay out what is nested by recursion: a page of sixty thousand nested elements holds up the one that shows it for seconds. */
function createNesting(): Nesting {
  let [depth, over] = [0, 0];
  return {
    enter() {
      if (depth >= maxDepth) over++;
      else depth++;
      return over === 0;
    },
    leave() {
      if (over === 0) return (depth = Math.max(0, depth - 1)) >= 0;
      over--;
      return false;
    },
  };
}

function readStyle(html: string, start: number, parts: string[], removed: Set<string>): number {
  const end = afterEndTag(html, "style", start);
  const closing = html.lastIndexOf("</", end);
  const css = cleanCss(html.slice(start, closing < start ? end : closing));
  if (css === undefined) note(removed, "style that loads something");
  else parts.push(`<style>${css}</style>`);
  return end;
}

interface Attribute {
  readonly name: string;
  readonly value: string;
}

function attributeText(element: string, { name, value }: Attribute, removed: Set<string>): string {
  const kept = keptValue(element, name, value);
  if (kept !== undefined) return ` ${name}="${kept.replaceAll('"', "&quot;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")}"`;
  note(removed, `${element} ${name.slice(0, 40)}`);
  return "";
}

function note(removed: Set<string>, what: string): void {
  if (removed.size < maxRemoved) removed.add(what);
}

const maxRemoved = 50;

function keptValue(element: string, name: string, value: string): string | undefined {
  if (name === "style") return value.includes("&") ? undefined : cleanCss(value);
  if (element === "img" && name === "src") return dataImage.test(value) ? value : undefined;
  if (!plainAttributes.has(name) && !/^(?:aria|data)-[a-z-]+$/.test(name)) return undefined;
  return /url\s*\(|\\/i.test(value) || (/&(?:#|[a-z]+;)/i.test(value) && drawn.has(name)) ? undefined : value;
}

const dataImage = /^data:image\/(?:png|jpeg|gif|webp|avif);base64,[A-Za-z0-9+/=]*$/;

/** The attributes of a tag. Ends at its ">", or with the text. */
function readAttributes(html: string, from: number): { readonly attributes: readonly Attribute[]; readonly end: number } {
  const attributes: Attribute[] = [];
  const known = new Set<string>();
  let at = from;
  for (;;) {
    while (at < html.length && /[\s/]/.test(html[at]!)) at++;
    if (at >= html.length) return { attributes, end: at };
    if (html[at] === ">") return { attributes, end: at + 1 };
    const nameEnd = next(html, at + 1, /[\s/>=]/g);
    const name = html.slice(at, nameEnd).toLowerCase();
    at = nameEnd;
    while (at < html.length && /\s/.test(html[at]!)) at++;
    let value = "";
    if (html[at] === "=") {
      at++;
      while (at < html.length && /\s/.test(html[at]!)) at++;
      const quote = html[at];
      if (quote === '"' || quote === "'") {
        const end = html.indexOf(quote, at + 1);
        value = html.slice(at + 1, end === -1 ? html.length : end);
        at = end === -1 ? html.length : end + 1;
      } else {
        const end = next(html, at, /[\s>]/g);
        value = html.slice(at, end);
        at = end;
      }
    }
    if (!known.has(name)) attributes.push({ name, value });
    known.add(name);
  }
}

function next(html: string, from: number, pattern: RegExp): number {
  pattern.lastIndex = from;
  return pattern.exec(html)?.index ?? html.length;
}

function after(html: string, end: string, from: number): number {
  const found = html.indexOf(end, from);
  return found === -1 ? html.length : found + end.length;
}

/** Where the content of an element ends whose content is not shown. Without an end tag, that is the end of the text. */
function afterEndTag(html: string, name: string, from: number): number {
  const pattern = new RegExp(`</${name}(?=[\\s/>])`, "gi");
  const start = next(html, from, pattern);
  return after(html, ">", start);
}

function textOf(text: string): string {
  return text.replaceAll(">", "&gt;");
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

const drawing = "svg g path rect circle ellipse line polyline polygon text tspan";
const elements = words(
  `a abbr article aside b bdi bdo blockquote br caption cite code col colgroup dd del details dfn div dl dt em figcaption figure footer h1 h2 h3 h4 h5 h6 header hr i img ins kbd li main mark meter nav ol p pre progress q rp rt ruby s samp section small span strong sub summary sup table tbody td tfoot th thead time tr u ul var wbr ${drawing}`,
);
const drawings = words(drawing);
const empty = words("br col hr img wbr");
/** Elements that end where the next one of their kind begins, so that their end tags may be missing. */
const endsItself = words("p li dt dd tr td th tbody thead tfoot rp rt colgroup caption");
/** The frame of a document, which is written anew. */
const quiet = words("html head body title");
const withContent = words(
  "script iframe object noscript template textarea select title xmp noembed noframes plaintext math audio video canvas frameset style",
);
const drawn = words("fill stroke transform d points");
const plainAttributes = words(
  "class id title alt lang dir role colspan rowspan scope span start reversed open datetime value min max low high optimum width height viewbox x y x1 y1 x2 y2 cx cy r rx ry dx dy d points fill stroke stroke-width stroke-linecap stroke-linejoin stroke-dasharray opacity fill-opacity text-anchor font-size font-weight font-family transform",
);
