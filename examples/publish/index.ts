// Feeds, calendars, links: the pack "publish", against a server on this machine.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
// #region imports
import { createMemorySecrets, createRegistry } from "@toolrack/core";
import { createPublishTools } from "@toolrack/tools";
// #endregion

const feed = `<?xml version="1.0"?><rss version="2.0"><channel><title>Tea news</title><link>https://tea.example/</link>
  <item><title>First flush</title><link>https://tea.example/1</link><description>The harvest has begun.</description></item></channel></rss>`;
const calendar = `BEGIN:VCALENDAR
BEGIN:VEVENT
UID:tasting
DTSTART;TZID=Europe/Berlin:20260302T100000
DTEND;TZID=Europe/Berlin:20260302T110000
RRULE:FREQ=WEEKLY;COUNT=10
SUMMARY:Tasting
END:VEVENT
END:VCALENDAR
`;
const server = createServer((request, response) => void response.end(request.url === "/feed.xml" ? feed : calendar)).listen(0, "127.0.0.1");
await new Promise((resolve) => server.once("listening", resolve));
const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;

// #region publish
const registry = createRegistry({ secrets: createMemorySecrets({ "notion-api-key": "…" }) });
const tools = createPublishTools({
  feeds: [{ name: "tea", url: `http://${host}/feed.xml` }],
  calendars: { team: { ics: `http://${host}/team.ics` } },
  links: { social: [{ name: "Mastodon", url: "https://social.example/@tea" }] },
  notion: { databaseId: "8b1f…" },
  fetch: { allowHosts: [host] }, // hosts that are not on the public internet are named
});
for (const tool of tools) registry.register(tool);

const news = await registry.invoke("rss_feed", { action: "fetch", url: "tea" });
const busy = await registry.invoke("calendar", { action: "check_availability", time_min: "2026-03-30", time_max: "2026-03-31" });
const links = await registry.invoke("static_links", { action: "get_social" });
for (const result of [news, busy, links]) console.log(result.ok ? JSON.stringify(result.data) : result.error);
// #endregion
assert.ok(news.ok && busy.ok && links.ok);
// The clocks went forward the day before: ten o'clock in Berlin is eight in UTC.
assert.deepEqual(busy.data, { busy: [{ start_time: "2026-03-30T08:00:00.000Z", end_time: "2026-03-30T09:00:00.000Z" }] });
server.close();
