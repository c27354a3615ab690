import type { Browser } from "playwright-core";

/** A real browser: CHROMIUM_PATH, one of the system, else the one that comes from npm. */
export declare function openBrowser(): Promise<Browser>;
