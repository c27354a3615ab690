/** Reading a feed or a calendar starts a program, so that `npm test` tries fewer inputs of these. */
const runs = process.env.TOOLRACK_LONG === "1" ? 10_000 : 25;

/** The packs for feeds, calendars and posts, whose services answer in every way that one can answer, and for sessions in memory. */
export const publishPacks = [
  { name: "publish", open: openPublish, runs },
  { name: "sessions", open: openSessions, runs },
];

const texts = ["tea", "../../etc/passwd", "http://127.0.0.1/", "file:///etc/passwd", "line\r\nx: 1", "__proto__", "\0", "\ud800", "𝕬🦄é"];
const capabilities = { knows: () => true, has: () => true, remedy: () => "", names: () => [] };

const ics = [
  "BEGIN:VCALENDAR",
  "VERSION:2.0",
  "BEGIN:VEVENT",
  "UID:1",
  "DTSTART:20260301T090000Z",
  "DTEND:20260301T100000Z",
  "SUMMARY:Tea",
  "RRULE:FREQ=DAILY",
  "END:VEVENT",
  "END:VCALENDAR",
].join("\r\n");

const multiStatus = `<d:multistatus xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"><d:response><d:href>/c/1.ics</d:href><d:propstat><d:prop><d:getetag>"1"</d:getetag><c:calendar-data>${ics}</c:calendar-data></d:prop></d:propstat></d:response></d:multistatus>`;

const answers = [
  [200, '<rss version="2.0"><channel><title>Tea</title><item><title>One</title><link>https://example.com/1</link></item></channel></rss>'],
  [200, ics],
  [207, multiStatus],
  [200, '{"object":"page","id":"1","url":"https://notion.example/1","results":[],"data_sources":[{"id":"2"}],"properties":{}}'],
  [200, "{"],
  [201, ""],
  [404, '{"message":"no"}'],
  [412, ""],
  [429, ""],
  [503, ""],
];

function openPublish(tools) {
  let [count, written] = [0, 0];
  const told = [];
  const http = {
    async request(url, { method = "GET" } = {}) {
      told.push(url);
      if (!["GET", "REPORT", "PROPFIND"].includes(method)) written++;
      const [status, text] = answers[count++ % answers.length];
      return { url, status, ok: status < 300, headers: { etag: '"1"', "retry-after": "0" }, bytes: Buffer.from(text), text: () => text };
    },
  };
  const calendars = {
    team: { ics: "https://calendar.example/team.ics" },
    mine: { caldav: "https://calendar.example/c/", username: "ada", secret: "token" },
  };
  return {
    tools: tools.createPublishTools({
      feeds: [{ name: "news", url: "https://feeds.example/news" }],
      calendars,
      links: { social: [{ name: "Blog", url: "https://blog.example/" }] },
      notion: { databaseId: "0123456789abcdef0123456789abcdef", baseUrl: "https://notion.example/", secret: "token" },
      operations: { http, readFile: async () => ics },
    }),
    texts,
    hints: {
      url: ["news", "https://feeds.example/other"],
      calendar_id: ["team", "mine"],
      calendar_ids: [["team"], ["team", "mine"]],
      event_id: ["1"],
      time_min: ["2026-03-01T00:00:00Z", "2026-03-01"],
      time_max: ["2026-03-08T00:00:00Z", "2026-03-08"],
      start_time: ["2026-03-01T09:00:00+01:00", "2026-03-01"],
      end_time: ["2026-03-01T10:00:00+01:00", "2026-03-02"],
      content: ["# Tea\n\n- [ ] water\n\n```js\n1\n```\n"],
    },
    registry: { capabilities, secrets: { has: () => true, get: async () => "a-secret-value" } },
    between: (_, result) =>
      told.splice(0).some((url) => url.includes("a-secret-value"))
        ? "an address holds the secret"
        : result.ok || !result.error.includes("a-secret-value")
          ? undefined
          : "an error tells the secret",
    world: () => String(written),
    requests: () => count,
  };
}

function openSessions(tools) {
  let answered = 0;
  const sessions = tools.createMemorySessionsHost({ run: async () => (answered++, "done"), toolsOf: () => [{ name: "echo" }] });
  const { key, id, caller } = sessions.create({ agent: "main" });
  const other = sessions.create({ agent: "somebody" });
  return {
    tools: tools.createSessionsTools({ open: sessions.open }),
    caller,
    texts,
    hints: { sessionKey: [key, id, other.key], session: [key, other.key], message: ["tea"], task: ["tea"], timeoutSeconds: [0, 1] },
    registry: { capabilities },
    world: () => String(answered),
    requests: () => 0,
    close: () => sessions.close(),
  };
}
