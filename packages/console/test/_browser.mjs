import { existsSync } from "node:fs";
import { chromium } from "playwright-core";

const systemBrowsers = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome", "/usr/bin/google-chrome-stable"];

/** What that one is started with, and no browser of a person is. */
const loosening = new Set(["--disable-web-security", "--allow-running-insecure-content", "--single-process"]);

/** Starting one costs more than most tests: the test files of a process share it, and it ends with the process. */
const isShared = process.env["VITEST"] !== undefined;
let shared;

/** A real browser, whose pages and contexts share nothing with those of other test files. `close` closes these, and the browser if it is not shared. */
export async function openBrowser() {
  const browser = await (isShared ? (shared ??= startBrowser()) : startBrowser());
  const contexts = new Set();
  const newContext = async (options) => {
    const context = await browser.newContext(options);
    // As long as a test may take on a busy machine: nothing is proved by the half minute that pages would wait otherwise.
    context.setDefaultTimeout(100_000);
    contexts.add(context);
    context.once("close", () => contexts.delete(context));
    return context;
  };
  return {
    newContext,
    /** A page in a context of its own, which ends with it. */
    async newPage(options) {
      const context = await newContext(options);
      const page = await context.newPage();
      page.once("close", () => void context.close().catch(() => undefined));
      return page;
    },
    async close() {
      await Promise.all([...contexts].map((context) => context.close()));
      if (!isShared) await browser.close();
    },
  };
}

/** CHROMIUM_PATH, one of the system, else the one that comes from npm. */
async function startBrowser() {
  const found = process.env["CHROMIUM_PATH"] ?? systemBrowsers.find((path) => existsSync(path));
  if (found !== undefined) return chromium.launch({ executablePath: found, args: ["--no-sandbox", "--disable-gpu"] });
  const { default: packed } = await import("@sparticuz/chromium");
  const args = packed.args.filter((arg) => !loosening.has(arg));
  return chromium.launch({ executablePath: await packed.executablePath(), args, headless: true });
}
