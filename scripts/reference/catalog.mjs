import { existsSync } from "node:fs";
import { join } from "node:path";
import { root } from "../lib/files.mjs";

const tests = "packages/tools/test";

/** Pack → what its tools stand on, and the file that tests them. */
const packs = {
  files: ["the workspace", `${tests}/files/files.test.ts`],
  runtime: ["isolated programs of this machine", `${tests}/runtime/runtime.test.ts`],
  web: ["the public internet, and a search engine", `${tests}/web/web-fetch.test.ts`],
  memory: ["notes in a folder, or records", `${tests}/memory/memory.test.ts`],
  sessions: ["the sessions of a server, or sessions in memory", "packages/server/test/rack/agents/sessions-pack.test.ts"],
  browser: ["a Chromium of this machine, behind a proxy of our own", `${tests}/browser/browser.test.ts`],
  canvas: ["the canvases of a server, or canvases in memory", `${tests}/canvas/canvas.test.ts`],
  messages: ["Slack, Telegram, Discord, a mail server, or a webhook", `${tests}/messages/message.test.ts`],
  automation: ["the schedules, settings and sources of a server", "packages/server/test/rack/packs/automation-pack.test.ts"],
  media: ["espeak-ng or a speech service; tesseract or a model", `${tests}/media/image.test.ts`],
  publish: ["feeds, calendar files, CalDAV and Notion", `${tests}/publish/calendar.test.ts`],
};

/** Tools that are tested in another file than the rest of their pack. */
const ownTests = {
  apply_patch: `${tests}/files/apply-patch.test.ts`,
  web_search: `${tests}/web/web-search.test.ts`,
  tts: `${tests}/media/tts.test.ts`,
  rss_feed: `${tests}/publish/rss-feed.test.ts`,
  static_links: `${tests}/publish/posts.test.ts`,
  blog_notion: `${tests}/publish/posts.test.ts`,
};

/** A table of the well-known tools, from the tools themselves. Throws for a tool that no pack has, or that no test is named for. */
export function catalogTable(catalog, tools, packTools) {
  const definitions = new Map(allTools(tools).map((tool) => [tool.name, tool]));
  const names = [...catalog.map(({ name }) => name), ...packTools.publish];
  const rows = names.map((name) => {
    const pack = Object.keys(packs).find((one) => packTools[one].includes(name));
    const definition = definitions.get(name);
    if (pack === undefined || definition === undefined) throw new Error(`No pack has the tool ${name}.`);
    const [host, packTest] = packs[pack];
    const test = ownTests[name] ?? packTest;
    if (!existsSync(join(root, test))) throw new Error(`The test ${test} of ${name} does not exist.`);
    return `| \`${name}\` | \`${pack}\` | ${host} | ${annotationsOf(definition)} | [${test.split("/").at(-1)}](../../${test}) |`;
  });
  return ["", "| tool | pack | host | annotations | test |", "| --- | --- | --- | --- | --- |", ...rows];
}

function annotationsOf({ metadata: { annotations = {} } = {} }) {
  const { readOnly = false, destructive = !readOnly, idempotent = readOnly, openWorld = true } = annotations;
  return [
    readOnly ? "read-only" : destructive ? "destructive" : "changes, destroys nothing",
    ...(idempotent ? ["idempotent"] : []),
    openWorld ? "open world" : "closed world",
  ].join(", ");
}

/** Every pack with every host; no tool is called. */
function allTools(tools) {
  const workspace = "/workspace";
  const host = {};
  return [
    ...tools.createFilesTools({ root: workspace }),
    ...tools.createRuntimeTools({ root: workspace }),
    ...tools.createWebTools({ search: { backend: "searxng", baseUrl: "http://search.example" } }),
    ...tools.createMemoryTools(),
    ...tools.createSessionsTools({ open: () => Promise.reject(new Error("No tool is called.")) }),
    ...tools.createBrowserTools(),
    ...tools.createCanvasTools({ host }),
    ...tools.createMessageTools({ channels: { team: { type: "slack", secret: "slack-token" } } }),
    ...tools.createAutomationTools({ schedules: host, settings: host, nodes: host }),
    ...tools.createMediaTools(),
    ...tools.createPublishTools({ calendars: { work: { ics: "work.ics" } }, links: { youtubePlaceholder: "…" } }),
  ];
}
