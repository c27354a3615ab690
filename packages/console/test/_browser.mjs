import { existsSync } from "node:fs";
import { chromium } from "playwright-core";

const systemBrowsers = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome", "/usr/bin/google-chrome-stable"];

/** A real browser: CHROMIUM_PATH, one of the system, else the one that comes from npm. */
export async function openBrowser() {
  const found = process.env["CHROMIUM_PATH"] ?? systemBrowsers.find((path) => existsSync(path));
  if (found !== undefined) return chromium.launch({ executablePath: found, args: ["--no-sandbox"] });
  const { default: packed } = await import("@sparticuz/chromium");
  return chromium.launch({ executablePath: await packed.executablePath(), args: packed.args, headless: true });
}
