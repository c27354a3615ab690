import { existsSync } from "node:fs";
import { chromium } from "playwright-core";

const systemBrowsers = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome", "/usr/bin/google-chrome-stable"];

/** What that one is started with, and no browser of a person is. */
const loosening = new Set(["--disable-web-security", "--allow-running-insecure-content", "--single-process"]);

/** A real browser: CHROMIUM_PATH, one of the system, else the one that comes from npm. */
export async function openBrowser() {
  const found = process.env["CHROMIUM_PATH"] ?? systemBrowsers.find((path) => existsSync(path));
  if (found !== undefined) return chromium.launch({ executablePath: found, args: ["--no-sandbox"] });
  const { default: packed } = await import("@sparticuz/chromium");
  const args = packed.args.filter((arg) => !loosening.has(arg));
  return chromium.launch({ executablePath: await packed.executablePath(), args, headless: true });
}
