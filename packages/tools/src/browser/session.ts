import { ToolInputError } from "@toolrack/core";
import type { Browser, BrowserContext, Page } from "playwright-core";
import type { GuardedProxy } from "./proxy.ts";
import { BrowserTab } from "./tab.ts";

/** The tabs of one caller, with cookies and storage of their own. */
export class BrowserSession {
  readonly #context: BrowserContext;
  readonly #proxy: GuardedProxy;
  readonly #tabs = new Map<string, BrowserTab>();
  #current: string | undefined;
  #count = 0;
  /** How many calls work with it now. */
  #working = 0;
  isOpen = true;

  private constructor(context: BrowserContext, proxy: GuardedProxy) {
    this.#context = context;
    this.#proxy = proxy;
    context.on("page", (page) => this.#take(page));
    context.on("close", () => (this.isOpen = false));
  }

  static async open(browser: Browser, proxy: GuardedProxy): Promise<BrowserSession> {
    const context = await browser.newContext({
      serviceWorkers: "block",
      acceptDownloads: true,
      viewport: { width: 1_200, height: 800 },
      permissions: [],
    });
    context.setDefaultTimeout(actionMs);
    context.setDefaultNavigationTimeout(navigationMs);
    // Beside the proxy, which sees only what goes over the network.
    await context.route(
      (url) => !isPageAddress(url.href),
      (route) => route.abort("blockedbyclient"),
    );
    return new BrowserSession(context, proxy);
  }

  get tabs(): readonly BrowserTab[] {
    return [...this.#tabs.values()];
  }

  get isBusy(): boolean {
    return this.#working > 0;
  }

  /** The tab of this id; without an id, the one that was used last. */
  tab(id: string | undefined = this.#current): BrowserTab | undefined {
    return id === undefined ? this.tabs.at(-1) : (this.#tabs.get(id) ?? (id === this.#current ? this.tabs.at(-1) : undefined));
  }

  focus(tab: BrowserTab): void {
    this.#current = tab.id;
  }

  async openTab(): Promise<BrowserTab> {
    if (this.#tabs.size >= maxTabs) throw new ToolInputError(`${maxTabs} tabs are open. Close one with the action "close".`);
    const page = await this.#context.newPage();
    const tab = this.tabs.find((one) => one.page === page)!;
    this.focus(tab);
    return tab;
  }

  /** Why the proxy refused a page, if it did. */
  refusalOf(url: string): string | undefined {
    if (!URL.canParse(url)) return undefined;
    const { hostname, port, protocol } = new URL(url);
    return this.#proxy.refusalOf(`${hostname}:${port || (protocol === "https:" ? 443 : 80)}`);
  }

  async during<Value>(work: () => Promise<Value>): Promise<Value> {
    this.#working++;
    try {
      return await work();
    } finally {
      this.#working--;
    }
  }

  async close(): Promise<void> {
    this.isOpen = false;
    await this.#context.close().catch(() => {});
  }

  #take(page: Page): void {
    if (this.#tabs.size >= maxTabs) return void page.close().catch(() => {});
    const tab = new BrowserTab(`t${++this.#count}`, page);
    this.#tabs.set(tab.id, tab);
    page.once("close", () => {
      this.#tabs.delete(tab.id);
      if (this.#current === tab.id) this.#current = this.tabs.at(-1)?.id;
    });
  }
}

/** Pages are of http and https; an empty tab is none. */
export function isPageAddress(url: string): boolean {
  return /^https?:/i.test(url);
}

const maxTabs = 20;
const [actionMs, navigationMs] = [10_000, 20_000];
