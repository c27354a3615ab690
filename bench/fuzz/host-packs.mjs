import { createFuzzWorkspace } from "./workspace.mjs";

/** What `npm test` and `npm run test:long -- sizes` try of each tool that a host serves. */
const runs = process.env.TOOLRACK_LONG === "1" ? 10_000 : 200;

/** The packs whose hosts are programs and services, all of them faked. */
export const hostPacks = [
  { name: "media", open: openMedia, runs },
  { name: "messages", open: openMessages, runs },
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
  const http = {
    request: async (url) => ({ url, status: 200, ok: true, headers: {}, bytes: Buffer.from("GIF89a\u0001\0\u0001\0"), text: () => "" }),
  };
  return {
    tools: tools.createMediaTools({ root: workspace.root, operations: { http, processes: fakePrograms(tools) } }),
    texts,
    hints: { text: ["tea"], image: ["a.txt", "https://example.com/a.gif"], voice: ["en", "-f", "de+f3"] },
    registry: { capabilities },
    between: (_, result) => workspace.findFault(result),
    close: () => workspace.remove(),
  };
}

function openMessages(tools) {
  const told = [];
  let count = 0;
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
      if (method !== "GET") told.push(`${url} ${body}`);
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
  return {
    tools: tools.createMessageTools({ channels, operations: { http } }),
    texts,
    hints: { target: ["C1", "C1", "C2", "C1,C2"], targets: [["C1"]], channel: Object.keys(channels), message: ["tea"], messageId: ["1.2"] },
    registry: { capabilities, secrets },
    between: (_, result) =>
      told.splice(0).some((one) => !one.includes("C1"))
        ? "a message went to somebody else"
        : result.ok || !result.error.includes("a-secret-value")
          ? undefined
          : "an error tells the token",
  };
}
