import type { Browser } from "playwright-core";

/** A real browser, whose pages and contexts share nothing with those of other test files. `close` closes these, and the browser if it is not shared. */
export declare function openBrowser(): Promise<Browser>;
