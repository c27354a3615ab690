/** One page to read, and how. */
export interface PageJob {
  readonly html: string;
  readonly url: string;
  readonly form: "markdown" | "html";
}

export interface PageAnswer {
  readonly title?: string;
  readonly content: string;
}

/**
 * Extracts the main content of a page, without navigation and other surroundings.
 * It is carried into another thread as text, because the libraries that it uses can take very long over hostile pages: so it may use nothing
 * but its parameters and what every thread has.
 */
export function readPageProgram(load: (name: string) => unknown, job: PageJob): PageAnswer {
  interface Element {
    readonly innerHTML: string;
    readonly textContent: string | null;
    getAttribute(name: string): string | null;
    setAttribute(name: string, value: string): void;
    removeAttribute(name: string): void;
    remove(): void;
    querySelectorAll(selector: string): Iterable<Element>;
  }
  interface Page extends Element {
    readonly body: Element;
    readonly title: string;
  }
  type Article = { readonly title?: string | null; readonly content?: Element | null; readonly textContent?: string | null };

  const { parseHTML } = load("linkedom") as { parseHTML(html: string): { document: Page } };
  const { Readability } = load("@mozilla/readability") as {
    Readability: new (page: Page, options: object) => { parse(): Article | null };
  };
  const { document } = parseHTML(withOuterTags(job.html));
  for (const [selector, attribute] of [
    ["a[href]", "href"],
    ["img[src]", "src"],
  ] as const) {
    for (const element of document.querySelectorAll(selector)) {
      const target = URL.canParse(element.getAttribute(attribute)!, job.url)
        ? new URL(element.getAttribute(attribute)!, job.url)
        : undefined;
      if (target?.protocol === "http:" || target?.protocol === "https:") element.setAttribute(attribute, target.href);
      else element.removeAttribute(attribute);
    }
  }
  const title = document.title;
  const whole = parseHTML(`<html><body>${document.body.innerHTML}</body></html>`).document.body;
  for (const around of whole.querySelectorAll("nav, header, footer, aside, form, button")) around.remove();

  const article = new Readability(document, { charThreshold: 0, serializer: (element: Element) => element }).parse();
  const length = (text: string | null | undefined): number => (text ?? "").trim().length;
  // A short find on a longer page is a guess that went wrong.
  const isGood = article?.content && (length(article.textContent) >= 200 || length(article.textContent) * 2 >= length(whole.textContent));
  const main = isGood ? article.content! : whole;
  const named = (article?.title ?? title).trim();
  return { ...(named !== "" && { title: named }), content: job.form === "html" ? main.innerHTML : toMarkdown(main) };

  /** The tags html, head and body may be left out in HTML, but not for this parser. */
  function withOuterTags(html: string): string {
    const start = html.search(/<body[\s>]/i);
    if (start === -1) return `<html><body>${html}</body></html>`;
    if (/<html[\s>]/i.test(html) && /<head[\s>]/i.test(html)) return html;
    const head = html.slice(0, start).replaceAll(/<!doctype[^>]*>|<\/?(?:html|head)(?:\s[^>]*)?>/gi, "");
    return `<html><head>${head}</head>${html.slice(start)}`;
  }

  function toMarkdown(element: Element): string {
    const Turndown = load("turndown") as new (options: object) => { turndown(element: Element): string };
    return new Turndown({ headingStyle: "atx", codeBlockStyle: "fenced", bulletListMarker: "-" }).turndown(element);
  }
}
