import { existsSync } from "node:fs";
import { chromium } from "playwright-core";

const systemBrowsers = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome", "/usr/bin/google-chrome-stable"];

/** What that one is started with, and no browser of a person is. */
const loosening = new Set(["--disable-web-security", "--allow-running-insecure-content", "--single-process"]);

/** A real browser: CHROMIUM_PATH, one of the system, else the one that comes from npm. */
export async function openBrowser() {
  const found = process.env["CHROMIUM_PATH"] ?? systemBrowsers.find((path) => existsSync(path));
  if (found !== undefined) return patient(await chromium.launch({ executablePath: found, args: ["--no-sandbox"] }));
  const { default: packed } = await import("@sparticuz/chromium");
  const args = packed.args.filter((arg) => !loosening.has(arg));
  return patient(await chromium.launch({ executablePath: await packed.executablePath(), args, headless: true }));
}

/** Its pages wait as long as a test may take on a busy machine: nothing is proved by the half minute that they would wait otherwise. */
function patient(browser) {
  const newContext = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await newContext(options);
    context.setDefaultTimeout(100_000);
    return context;
  };
  return browser;
}
