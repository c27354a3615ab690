import type { Dialog, Download, Locator, Page } from "playwright-core";
import { ToolInputError } from "@toolrack/core";

export interface DialogAnswer {
  readonly accept: boolean;
  readonly text?: string | undefined;
}

/** One tab: its page, what was seen of it last, and what it did since. */
export class BrowserTab {
  readonly id: string;
  readonly page: Page;
  /** What the page wrote to its console, the newest last. */
  readonly console: string[] = [];
  /** Downloads that were not yet taken. */
  readonly downloads: Download[] = [];
  /** Dialogs that were answered since the last call. */
  readonly dialogs: string[] = [];
  /** The answer to the next dialog; others are dismissed. */
  nextAnswer: DialogAnswer | undefined = undefined;
  #refs: ReadonlySet<string> = new Set();

  constructor(id: string, page: Page) {
    this.id = id;
    this.page = page;
    page.on("console", (message) => keep(this.console, `${message.type()}: ${message.text()}`, 100));
    page.on("pageerror", (error) => keep(this.console, `uncaught: ${error.message}`, 100));
    page.on("download", (download) => {
      if (this.downloads.length < maxDownloads) this.downloads.push(download);
      else void download.cancel().catch(() => {});
    });
    page.on("dialog", (dialog) => void this.#answer(dialog));
    page.on("framenavigated", (frame) => {
      if (frame === page.mainFrame()) this.#refs = new Set();
      // A page of the browser itself, or a file, is no place to be, however it was reached.
      if (frame === page.mainFrame() && !/^(?:https?:|about:blank|chrome-error:)/.test(frame.url())) void page.close().catch(() => {});
    });
  }

  /** What a reader of the page perceives, as text with references: `button "Save" [ref=e3]`. */
  async snapshot(options: { readonly depth?: number | undefined; readonly ref?: string | undefined } = {}): Promise<string> {
    const { depth, ref } = options;
    const place = ref === undefined ? this.page : this.locate(ref);
    const text = await place.ariaSnapshot({ mode: "ai", timeout: 10_000, ...(depth !== undefined && { depth }) });
    const found = [...text.matchAll(/\[ref=((?:f\d+)?e\d+)\]/g)].map(([, one]) => one!);
    // The browser, too, knows elements by the last snapshot alone.
    this.#refs = new Set(found);
    return text;
  }

  /** An element of the last snapshot. One that is not in it would be waited for in vain. */
  locate(ref: string): Locator {
    if (this.#refs.has(ref)) return this.page.locator(`aria-ref=${ref}`);
    throw new ToolInputError(`There is no element ${JSON.stringify(ref)} in the last snapshot of tab ${this.id}. Take a new snapshot.`);
  }

  async #answer(dialog: Dialog): Promise<void> {
    const answer = this.nextAnswer;
    this.nextAnswer = undefined;
    keep(this.dialogs, `${dialog.type()}: ${dialog.message()} (${answer?.accept === true ? "accepted" : "dismissed"})`, 20);
    await (answer?.accept === true ? dialog.accept(answer.text) : dialog.dismiss()).catch(() => {});
  }
}

const maxDownloads = 10;

function keep(list: string[], text: string, most: number): void {
  list.push(text.slice(0, 1_000));
  if (list.length > most) list.shift();
}
