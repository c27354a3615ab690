import { createFuzzWorkspace } from "./workspace.mjs";

/** What `npm test` and `npm run test:long -- sizes` try of each tool that a host serves. */
const runs = process.env.TOOLRACK_LONG === "1" ? 10_000 : 60;

/** The packs whose hosts are programs and services, all of them faked. */
export const hostPacks = [
  { name: "media", open: openMedia, runs },
  { name: "messages", open: openMessages, runs },
  { name: "browser", open: openBrowser, runs },
  { name: "automation", open: openAutomation, runs },
  { name: "canvas", open: openCanvas, runs },
  { name: "models", open: openModels, runs },
];

const texts = [
  "tea",
  "-f /etc/passwd",
  "<speak>tea</speak>",
  "../../etc/passwd",
  "http://127.0.0.1/",
  "file:///etc/passwd",
  "line\r\nx: 1",
  "__proto__",
  "\0",
  "\ud800",
  "@everyone",
  "𝕬🦄é",
];

const capabilities = { knows: () => true, has: () => true, remedy: () => "", names: () => [] };

/** Programs that end at once, in every way that one can end. */
function fakePrograms({ ProcessFault }) {
  const ways = [
    { exitCode: 0, stdout: "RIFF" },
    { exitCode: 0, stdout: Buffer.alloc(60, 1) },
    { exitCode: 0 },
    { exitCode: 1, stderr: "it failed" },
    { fault: "ENOENT" },
    { signal: "SIGKILL" },
  ];
  let count = 0;
  return {
    async start({ program, onOutput }) {
      const { fault, stdout = "", stderr = "", exitCode = null, signal = null } = ways[count++ % ways.length];
      if (fault !== undefined) throw new ProcessFault(fault, program);
      onOutput("stdout", Buffer.from(stdout));
      onOutput("stderr", Buffer.from(stderr));
      const ended = Promise.resolve({ exitCode, signal });
      return { pid: 0, ended, write: async () => {}, endInput() {}, signal() {}, stop: () => ended };
    },
    close: async () => {},
  };
}

function openMedia(tools) {
  const workspace = createFuzzWorkspace();
  let requests = 0;
  const http = {
    request: async (url) => (
      requests++,
      { url, status: 200, ok: true, headers: {}, bytes: Buffer.from("GIF89a\u0001\0\u0001\0"), text: () => "" }
    ),
  };
  return {
    tools: tools.createMediaTools({ root: workspace.root, operations: { http, processes: fakePrograms(tools) } }),
    texts,
    hints: { text: ["tea"], image: ["a.txt", "https://example.com/a.gif"], voice: ["en", "-f", "de+f3"] },
    registry: { capabilities },
    between: (_, result) => workspace.findFault(result),
    world: workspace.content,
    requests: () => requests,
    close: () => workspace.remove(),
  };
}

function openMessages(tools) {
  const told = [];
  let [count, sent] = [0, 0];
  const answers = [
    [200, '{"ok":true,"ts":"1.2","id":"5","result":{"message_id":7}}'],
    [200, "{"],
    [200, '{"ok":false,"error":"no"}'],
    [204, ""],
    [400, '{"description":"no"}'],
    [503, ""],
  ];
  const http = {
    async request(url, { method, body }) {
      if (method !== "GET") sent++;
      if (method !== "GET") told.push(`${url} ${Buffer.from(body ?? "").toString()}`);
      const [status, text] = answers[count++ % answers.length];
      return { url, status, ok: status < 300, headers: {}, bytes: Buffer.from(text), text: () => text };
    },
  };
  const secrets = { has: () => true, get: async () => "a-secret-value" };
  const recipients = ["C1"];
  const channels = {
    team: { type: "slack", secret: "token", recipients },
    phone: { type: "telegram", secret: "token", recipients },
    chat: { type: "discord", secret: "token", recipients },
    ops: { type: "webhook", url: "https://ops.example/", recipients },
  };
  const workspace = createFuzzWorkspace();
  return {
    tools: tools.createMessageTools({ channels, root: workspace.root, operations: { http } }),
    world: () => `${sent} ${workspace.content()}`,
    requests: () => count,
    close: () => workspace.remove(),
    texts,
    hints: {
      target: ["C1", "C1", "C2", "C1,C2"],
      targets: [["C1"]],
      channel: Object.keys(channels),
      message: ["tea"],
      messageId: ["1.2"],
      attachments: [["a.txt"], ["../../etc/passwd"]],
    },
    registry: { capabilities, secrets },
    between: (_, result) =>
      told.splice(0).some((one) => !one.includes("C1"))
        ? "a message went to somebody else"
        : result.ok || !result.error.includes("a-secret-value")
          ? undefined
          : "an error tells the token",
  };
}

/** A browser whose pages answer in every way that one can answer. */
function openBrowser(tools) {
  const workspace = createFuzzWorkspace();
  const opened = [];
  let count = 0;
  const answers = [
    () => undefined,
    () => null,
    () => Promise.reject(new Error("page.click: Target page has been closed")),
    () => Promise.reject(new Error("net::ERR_FAILED")),
  ];
  const answer = async () => answers[count++ % answers.length]();
  const locator = {
    click: answer,
    hover: answer,
    fill: answer,
    press: answer,
    dragTo: answer,
    selectOption: answer,
    setInputFiles: answer,
    screenshot: async () => Buffer.from("x"),
    first: () => locator,
    waitFor: answer,
  };
  const page = {
    bringToFront: answer,
    close: answer,
    setViewportSize: answer,
    goBack: answer,
    evaluate: answer,
    waitForLoadState: answer,
    waitForEvent: answer,
    goto: (url) => (opened.push(url), answer().then(() => null)),
    screenshot: async () => Buffer.from("x"),
    pdf: async () => Buffer.from("%PDF-"),
    url: () => "https://example.com/",
    title: async () => "A page",
    isClosed: () => false,
    keyboard: { press: answer },
    getByText: () => locator,
  };
  const tab = {
    id: "t1",
    page,
    console: [],
    downloads: [],
    dialogs: [],
    snapshot: async () => 'button "Save" [ref=e1]',
    locate: () => locator,
  };
  const session = {
    tabs: [tab],
    isOpen: true,
    tab: () => tab,
    focus() {},
    openTab: async () => tab,
    refusalOf: () => undefined,
    during: (work) => work(),
  };
  const host = {
    session: async () => session,
    find: () => session,
    end: async () => {},
    endOf() {},
    profiles: () => [""],
    close: async () => {},
  };
  return {
    tools: tools.createBrowserTools({ root: workspace.root, host, executable: "/usr/bin/chromium" }),
    texts,
    hints: {
      action: ["act", "open", "snapshot"],
      targetUrl: ["https://example.com/"],
      ref: ["e1"],
      kind: ["click", "type", "press"],
      timeMs: [0],
    },
    registry: { capabilities },
    between: (_, result) =>
      opened.splice(0).some((url) => !/^https?:/i.test(url)) ? "an address was opened that is no page" : workspace.findFault(result),
    world: () => `${count} ${workspace.content()}`,
    close: () => workspace.remove(),
  };
}

/** Hosts that keep what they are told, as those of a server do. */
function openAutomation(tools) {
  const kept = new Map();
  const keep = (id, plan) => kept.set(id, { ...kept.get(id), ...plan, id }).get(id);
  const changed = (id, plan) => kept.get(id) && keep(id, plan);
  let count = 0;
  const fill = () => ["a", "b"].forEach((id) => keep(id, { tool: "echo", cron: "0 7 * * *", state: "active" }));
  fill();
  const schedules = {
    list: async () => [...kept.values()],
    get: async (_, id) => kept.get(id),
    add: async (_, id, plan) => keep(id, { ...plan, state: "waiting" }),
    change: async (_, id, parts) => changed(id, { ...parts, state: "waiting" }),
    pause: async (_, id) => changed(id, { state: "paused" }),
    resume: async (_, id) => changed(id, { state: "active" }),
    remove: async (_, id) => kept.delete(id),
    run: async (_, id) => kept.get(id) && { job: `job-${++count}` },
    runs: async (_, id) => kept.get(id) && [{ job: "job-1", state: "done" }],
  };
  const settings = {
    read: async (_, key) => [{ key: key ?? "bundles.desk", value: null, origin: "file" }],
    schema: () => [{ key: "bundles.<name>", description: "A bundle.", schema: {} }],
    propose: async (_, { changes }) => ({ id: "proposal-1", keys: Object.keys(changes), expiresAt: "2026-01-01T00:00:00.000Z" }),
  };
  const nodes = {
    list: async () => [{ id: "office", kind: "mcp-http", state: "ready", tools: [{ name: "echo", description: "Echoes." }] }],
  };
  return {
    tools: tools.createAutomationTools({ schedules, settings, nodes }),
    texts,
    hints: { jobId: ["a", "b"], tool: ["echo"], node: ["office"], cron: ["0 7 * * *"], tz: ["UTC"] },
    registry: { capabilities },
    between() {
      if (kept.size > 100) kept.clear();
      fill();
    },
    world: () => JSON.stringify([count, ...kept]),
    requests: () => 0,
  };
}

function openCanvas(tools) {
  const host = tools.createMemoryCanvases();
  const html = ["<p>tea", "<script>x</script>", "<style>p{}", '<img src="http://x">', "<!--", "<svg onload=x>", "</", "<a href=http://x>"];
  return {
    tools: tools.createCanvasTools({ host }),
    texts: [...texts, ...html],
    hints: { canvasId: ["a", "b"], html },
    registry: { capabilities },
    between: () =>
      host.all().some(({ document }) => /<(script|iframe|link|base)|<[^>]*\s(onload|href|src)=/i.test(document))
        ? "a page loads or runs something"
        : undefined,
    world: () => JSON.stringify(host.all().map(({ document }) => document)),
    requests: () => 0,
  };
}

/** Tools that ask a model, which answers in every way that one can answer. */
function openModels(tools) {
  const answers = ["{}", '{"tea":1}', "tea", "", "```json\n1\n```", "null"];
  let count = 0;
  const logit = {
    name: "fake",
    complete: async () => answers[count++ % answers.length],
    tokens: async (given) => given.map(() => [1, 2]),
  };
  return {
    tools: tools.createUtilityTools({ logit }).filter(({ name }) => name === "logit"),
    texts,
    hints: { action: ["generate", "vocabulary"], prompt: ["tea"], schema: [{ type: "object" }, { type: "string" }, {}] },
    registry: { capabilities },
    world: () => "",
    requests: () => count,
  };
}
