// A browser: the pack "browser", on a page of this machine. Needs a Chromium.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
// #region imports
import { createRegistry } from "@toolrack/core";
import { createCapabilities } from "@toolrack/core/node";
import { createBrowserHost, createBrowserTools } from "@toolrack/tools";
// #endregion

const page = `<title>Tea</title><button onclick="document.title = 'Brewed'">Brew</button>`;
const server = createServer((_, response) => void response.end(page)).listen(0, "127.0.0.1");
await new Promise((resolve) => server.once("listening", resolve));
const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;

// #region browser
const host = createBrowserHost({ allowHosts: [address] }); // hosts that are not on the public internet are named
const [browser] = createBrowserTools({ host, root: "." }); // downloads go to this folder, uploads come from it
const registry = createRegistry({ capabilities: createCapabilities({ overrides: { network: true } }) });
registry.register(browser!);

const opened = await registry.invoke("browser", { action: "open", targetUrl: `http://${address}/` });
const ref = opened.ok ? /button "Brew" \[ref=(e\d+)\]/.exec(opened.content)?.[1] : undefined;
const clicked = await registry.invoke("browser", { action: "act", kind: "click", ref });
console.log(clicked.ok ? (clicked.data as { title: string }).title : clicked.error);
await host.close(); // ends the browser; without it, its idle time does
// #endregion
const isMissing = !opened.ok && opened.code === "TOOL_NOT_FOUND";
assert.ok(isMissing || (clicked.ok && (clicked.data as { title: string }).title === "Brewed"), JSON.stringify([opened, clicked]));
server.close();
