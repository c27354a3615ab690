import { runInThread } from "../operations/in-thread.ts";
import { htmlToText, visibleHtml } from "../operations/html-text.ts";
import { readPageProgram } from "./page-program.ts";

export interface ReadPageRequest {
  readonly html: string;
  /** Where it came from, for the links in it. */
  readonly url: string;
  readonly form: "markdown" | "text";
  readonly signal: AbortSignal;
  /** How long the libraries may take over it. @default 10_000 */
  readonly maxRunMs?: number;
}

export interface Page {
  readonly title?: string;
  readonly content: string;
  /** Why only the plain text of the page is given. */
  readonly note?: string;
}

/** A page as text to read. What is too much for the libraries is read as plain text. */
export async function readPage({ html, url, form, signal, maxRunMs = 10_000 }: ReadPageRequest): Promise<Page> {
  const visible = visibleHtml(html).slice(0, maxLength);
  const job = { html: visible, url, form: form === "text" ? "html" : "markdown" } as const;
  const end = await runInThread(readPageProgram, job, { signal, maxRunMs });
  if ("failed" in end) return { content: htmlToText(visible), note: notes[end.failed] };
  const { title, content } = end.answer;
  return { ...(title !== undefined && { title }), content: form === "text" ? htmlToText(content) : content };
}

const maxLength = 2_000_000;

const notes = {
  "too-much": "The page is too large to parse; this is its plain text.",
  "not-installed": "The libraries that parse pages are not installed; this is the plain text of the page.",
} as const;
