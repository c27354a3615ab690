// Things that run by themselves: a daily report, a webhook in and a webhook out.
import assert from "node:assert/strict";
import { createHmac, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { defineTool } from "@toolrack/core";
import { openServer } from "@toolrack/server";

const file = fileURLToPath(new URL("../../automation/toolrack.config.yaml", import.meta.url));

// #region tools
const report = defineTool({
  name: "daily_report",
  description: "Writes the report of the day for a team.",
  inputSchema: { type: "object", properties: { team: { type: "string" } }, required: ["team"] },
  handler: ({ team }, { caller }) => `Report for ${team}, written by ${caller.agent}`,
});
const issues: string[] = [];
const fileIssue = defineTool({
  name: "file_issue",
  description: "Files an issue.",
  inputSchema: { type: "object", properties: { title: { type: "string" } }, required: ["title"], additionalProperties: false },
  handler: ({ title }) => {
    issues.push(title);
    return { number: issues.length };
  },
});
// #endregion

const server = await openServer({ config: file, port: 0, tools: [report, fileIssue] });
const { automation, jobs } = server.rack;

// #region schedule
await until(() => automation.schedules.list().length === 1); // the file is read when all tools are there
const daily = await automation.schedules.get("daily");
console.log(daily!.state, daily!.next.length); // active, with its next five times
const started = await automation.schedules.run("daily", "anna"); // now, beside its times
const job = await jobs.waitFor(started!.job, { timeoutMs: 60_000 });
console.log(job!.state, (job!.result as { content: string }).content);
// #endregion
assert.equal((job!.result as { content: string }).content, "Report for support, written by reporter");

// #region in
const hook = await automation.receivers.add(
  "tracker",
  { tool: "file_issue", agent: "tracker", input: { title: { from: "/body/issue/title" } } },
  "anna",
);
const body = JSON.stringify({ issue: { title: "The login page is blank" } });
const headers = sign("msg_1", body, hook.secret); // what a sender with Standard Webhooks does
const taken = await fetch(`${server.url}/hooks/tracker`, { method: "POST", body, headers });
const again = await fetch(`${server.url}/hooks/tracker`, { method: "POST", body, headers });
console.log(taken.status, again.status); // 202, and 401 for what came before
// #endregion
assert.deepEqual([taken.status, again.status], [202, 401]);
await until(() => issues.length === 1);
assert.deepEqual(issues, ["The login page is blank"]);

// #region out
const received: { id: string; type: string }[] = [];
const receiver = createServer((request, response) => {
  void verified(request).then((message) => {
    if (message !== undefined && !received.some(({ id }) => id === message.id)) received.push(message); // once for each id
    response.writeHead(message === undefined ? 401 : 204).end();
  });
}).listen(0, "127.0.0.1");
await once(receiver, "listening");
const { port } = receiver.address() as { port: number };
const { secret } = await automation.endpoints.add(
  "desk",
  { url: `http://127.0.0.1:${port}/`, on: { schema_name: "news.v1", types: ["record-created"] } },
  "anna",
);
await server.rack.store.put({ schema_name: "news.v1", title: "We moved", context: {} });
await until(() => received.length === 1);
console.log(received[0]!.type);

/** The receiver's side: the time is near, and the signature is one that the secret makes. */
async function verified(request: IncomingMessage): Promise<{ id: string; type: string } | undefined> {
  const sent = await buffer(request);
  const [id, time, signatures] = ["id", "timestamp", "signature"].map((name) => String(request.headers[`webhook-${name}`]));
  const expected = sign(id!, sent.toString(), secret, time)["webhook-signature"];
  const isSigned = signatures!
    .split(" ")
    .some((one) => one.length === expected.length && timingSafeEqual(Buffer.from(one), Buffer.from(expected)));
  const isNear = Math.abs(Date.now() / 1_000 - Number(time)) < 300;
  return isSigned && isNear ? { id: id!, type: (JSON.parse(sent.toString()) as { type: string }).type } : undefined;
}
// #endregion
assert.equal(received[0]!.type, "record-created");

receiver.close();
await server.close();

function sign(
  id: string,
  text: string,
  key: string,
  time = String(Math.floor(Date.now() / 1_000)),
): Record<`webhook-${string}`, string> & { "webhook-signature": string } {
  const mac = createHmac("sha256", Buffer.from(key.slice("whsec_".length), "base64"))
    .update(`${id}.${time}.${text}`)
    .digest("base64");
  return { "webhook-id": id, "webhook-timestamp": time, "webhook-signature": `v1,${mac}` };
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
}
