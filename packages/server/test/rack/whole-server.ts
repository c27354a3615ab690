// A whole server in a process of its own, which answers one call and ends: see read-only-tmp.test.ts.
import { openServer } from "../../src/open-server.ts";

const [folder = ""] = process.argv.slice(2);
const { url, rack, close } = await openServer({ folder, config: {}, environment: { HOME: folder }, port: 0, logLevel: "error" });
const headers = { authorization: `Bearer ${rack.ownerToken.text}`, "content-type": "application/json" };
for (let index = 0; index < 200; index++) {
  const response = await fetch(`${url}/api/v1/breadcrumbs`, {
    method: "POST",
    headers,
    body: JSON.stringify({
      id: `note-${index}`,
      schema_name: "note.v1",
      title: "A note",
      tags: ["note"],
      context: { text: "x".repeat(5_000) },
    }),
  });
  if (response.status >= 300) throw new Error(`${response.status} ${await response.text()}`);
}
const found = (await (await fetch(`${url}/api/v1/breadcrumbs?text=note&limit=5`, { headers })).json()) as { records?: unknown[] };
process.stdout.write(`${JSON.stringify(found).length > 100}\n`);
await close();
