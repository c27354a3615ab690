import { createRequire } from "node:module";

/** Whether the package that drives browsers is installed. It is optional, and loaded when a page is opened. */
export function hasBrowserDriver(): boolean {
  try {
    createRequire(import.meta.url).resolve("playwright-core");
    return true;
  } catch {
    return false;
  }
}

export const browserDriverRemedy = "Install the package playwright-core: npm install playwright-core@1.65.0";
