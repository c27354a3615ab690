// A whole server in a process of its own, which answers one call and ends: see read-only-tmp.test.ts.
import { openServer } from "../../../src/open-server.ts";

const [folder = ""] = process.argv.slice(2);
const { url, rack, close } = await openServer({ folder, config: {}, environment: { HOME: folder }, port: 0, logLevel: "error" });
const headers = { authorization: `Bearer ${rack.ownerToken.text}`, "content-type": "application/json" };
// Large enough for SQLite to want temporary files.
const context = { text: "words and more words ".repeat(40_000) };
const record = { schema_name: "note.v1", title: "A note", tags: ["note"], context };
const answers: number[] = [];
async function send(method: string, path: string, body: object, more: Readonly<Record<string, string>> = {}): Promise<void> {
  const response = await fetch(`${url}/api/v1/${path}`, { method, headers: { ...headers, ...more }, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  answers.push(response.status);
}
await send("POST", "breadcrumbs", { id: "note", ...record });
await send("PUT", "breadcrumbs/note", { ...record, title: "Another" }, { "if-match": '"1"' });
await send("PUT", "breadcrumbs/note", { ...record, context: { text: "short" } }, { "if-match": '"2"' });
process.stdout.write(`${answers.join(" ")}\n`);
await close();
