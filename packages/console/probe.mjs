import { openRack, serve } from "@toolrack/server";
import { demoConfig, demoTools, useDemo } from "./test/_demo.mjs";
import { openBrowser } from "./test/_browser.mjs";
const rack = await openRack({ folder: "/tmp/probe-rack", config: demoConfig, tools: demoTools });
const s = await serve(rack, { port: 0 });
await useDemo(s.url);
const b = await openBrowser();
const page = await b.newPage();
page.on("pageerror", (e) => console.log("PAGEERROR", e.message.slice(0, 400)));
page.on("console", (e) => e.type()==="error" && console.log("CONSOLE", e.text().slice(0, 400)));
for (const path of process.argv.slice(2)) {
  await page.goto(s.url + path); await page.waitForTimeout(2500);
  console.log(path, (await page.locator("main").innerText()).slice(0, 500).replaceAll("\n", " | "));
}
await b.close(); await s.close({ graceMs: 0 });
