import { defineTool } from "@toolrack/core";
import { openServer } from "@toolrack/server";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { type Loopback, startLoopback } from "@toolrack/testkit/loopback";
import { until } from "@toolrack/testkit/until";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Ended, run as runCommand } from "./_run.ts";

const folder = temporaryFolder();
const inputSchema = { type: "object", properties: { title: { type: "string" } }, required: ["title"] } as const;
const note = defineTool({ name: "note", description: "Notes a title.", inputSchema, handler: ({ title }) => `noted ${title}` });
let server: Awaited<ReturnType<typeof openServer>>;
let receiver: Loopback;
let status = 204;

beforeAll(async () => {
  receiver = await startLoopback((_, response) => void response.writeHead(status).end());
  server = await openServer({
    folder,
    port: 0,
    consoleFolder: false,
    logLevel: "silent",
    config: {
      store: { memory: true },
      hooks: { allowHosts: [receiver.host] },
      policy: { unknownAgents: "allow" },
      startup: { note: { input: { title: "Start" } } },
    },
    tools: [note],
  });
});
afterAll(async () => {
  await server.close({ graceMs: 0 });
  await receiver[Symbol.asyncDispose]();
});

const run = (...words: string[]): Promise<Ended> => runCommand(words, { folder, environment: { TOOLRACK_URL: server.url } });
const json = async (...words: string[]): Promise<any> => (await run(...words, "--json")).json();

/** The exit code, and the whole sentence that says what is wrong. */
async function fault(...words: string[]): Promise<readonly [number, string]> {
  const { code, errors } = await run(...words);
  return [code, errors.replaceAll(/\s+/g, " ")];
}

describe("toolrack schedules", () => {
  it("adds, lists, shows, runs, pauses, resumes and removes one", async () => {
    expect((await run("schedules")).output).toContain("There are no schedules");
    const made = await run("schedules", "add", "daily", "note", "title=Report", "--cron", "0 7 * * 1-5", "--tz", "Europe/Berlin");
    expect([made.code, made.output]).toEqual([0, expect.stringMatching(/daily.*active.*note.*0 7 \* \* 1-5 \(Europe\/Berlin\)/s)]);
    const options = ["--every", "15m", "--missed", "all", "--overlap", "queue", "--jitter", "30s", "--agent", "reader"];
    expect(await json("schedules", "add", "often", "note", "title=Often", ...options)).toMatchObject({
      spec: { everyMs: 900_000, missed: "all", overlap: "queue", jitterMs: 30_000, input: { title: "Often" } },
      runsAs: { agent: "reader" },
    });
    const seconds = ["--cron", "0 0 7 * * *", "--seconds", "--tz", "UTC"];
    expect(await json("schedules", "add", "exact", "note", "title=Exact", ...seconds)).toMatchObject({ spec: { seconds: true } });
    expect((await json("schedules")).schedules.map(({ id }: { id: string }) => id)).toEqual(["daily", "exact", "often"]);
    const shown = await run("schedules", "show", "dai");
    expect(shown.output.split("\n").filter((line) => /^ {2}\d{4}-\d\d-\d\d|^ {2}\S.*\d\d:\d\d/.test(line))).toHaveLength(5);
    const started = await run("schedules", "run", "daily");
    expect([started.code, started.errors]).toEqual([0, expect.stringContaining(`jobs show ${started.output.trim()} --wait`)]);
    expect(await json("jobs", "show", started.output.trim(), "--wait")).toMatchObject({ state: "done", origin: "schedule:daily" });
    expect(await json("schedules", "pause", "daily")).toMatchObject({ state: "paused" });
    expect((await run("schedules")).output).toContain("Paused by");
    expect(await json("schedules", "resume", "daily")).toMatchObject({ state: "active" });
    for (const id of ["daily", "exact", "often"]) expect((await run("schedules", "remove", id)).output).toContain("was removed");
  });

  it("says what is wrong with a time, an id, a rule and a tool", async () => {
    const add = (...words: string[]) => fault("schedules", "add", "x", "note", "title=a", ...words);
    expect(await add("--every", "soon")).toEqual([2, expect.stringContaining("--every must be a number and a unit")]);
    expect(await add("--every", "1s")).toEqual([2, expect.stringContaining("more often than every 10 seconds")]);
    expect(await add("--cron", "0 7 * * *")).toEqual([2, expect.stringContaining("cron needs tz")]);
    expect(await add("--cron", "61 7 * * *", "--tz", "UTC")).toEqual([2, expect.stringContaining('cron is "61 7 * * *"')]);
    expect(await add("--at", "tomorrow")).toEqual([2, expect.stringContaining("with its offset")]);
    expect(await add()).toEqual([2, expect.stringContaining("exactly one of at, everyMs and cron")]);
    expect(await add("--every", "1h", "--missed", "maybe")).toEqual([2, expect.stringContaining("missed")]);
    expect(await fault("schedules", "add", "x", "none", "--every", "1h")).toEqual([2, expect.stringContaining('no tool "none"')]);
    expect(await fault("schedules", "add", "x", "note", "Report", "--every", "1h")).toEqual([2, expect.stringContaining("name=value")]);
    for (const verb of ["show", "run", "pause", "resume", "remove"])
      expect(await fault("schedules", verb, "none")).toEqual([4, expect.stringContaining('no schedule "none"')]);
  });
});

describe("toolrack triggers", () => {
  it("adds, lists, tests, pauses, resumes and removes one", async () => {
    expect((await run("triggers")).output).toContain("There are no triggers");
    const mapping = '{"title":{"from":"/record/title"}}';
    const made = await run("triggers", "add", "news", "note", "schema_name=news.v1", "--input", mapping);
    expect([made.code, made.output]).toEqual([0, expect.stringContaining("calls note from now on, as owner")]);
    expect((await run("triggers")).output).toMatch(/news.*active.*schema_name.*note/s);
    const own = { schema_name: "news.v1", title: "By the owner", context: {} };
    await server.rack.store.as({ ...server.rack.store.actor, agent: "owner" }).put(own);
    await until(async () => /\b1 .*The agent "owner".*did this itself/s.test((await run("triggers")).output));
    expect((await run("triggers", "test", "news", 'record={"title":"Rain"}')).output).toContain('"Rain"');
    const other = await run("triggers", "test", "news", 'record={"title":"Rain","schema_name":"other.v1"}');
    expect([other.code, other.output]).toEqual([1, expect.stringContaining("does not choose this event")]);
    expect((await run("triggers", "pause", "news")).output).toContain("is paused");
    expect((await run("triggers", "resume", "news")).output).toContain("is active");
    expect((await run("triggers", "remove", "news")).output).toContain("was removed");
    const asOther = await run("triggers", "add", "other", "note", "schema_name=news.v1", "--input", mapping, "--agent", "reporter");
    expect([asOther.code, asOther.output]).toEqual([0, expect.stringContaining("as reporter")]);
    expect((await run("triggers", "remove", "other")).code).toBe(0);
  });

  it("says what is wrong with a selector, a mapping, an event and an id", async () => {
    expect(await fault("triggers", "add", "x", "note", "types=never")).toEqual([2, expect.stringContaining("types")]);
    const wrong = ["schema_name=a.v1", "--input", '{"titel":{"from":"/record/title"}}'];
    expect(await fault("triggers", "add", "x", "note", ...wrong)).toEqual([2, expect.stringContaining('needs the parameter "title"')]);
    expect(await fault("triggers", "add", "x", "note", "schema_name=a.v1", "--input", "{")).toEqual([2, expect.stringContaining("JSON")]);
    expect(await fault("triggers", "test", "none", "{}")).toEqual([4, expect.stringContaining('no trigger "none"')]);
    expect(await fault("triggers", "test", "none", "type=never")).toEqual([2, expect.stringContaining("type")]);
    for (const verb of ["pause", "resume", "remove"])
      expect(await fault("triggers", verb, "none")).toEqual([4, expect.stringContaining('no trigger "none"')]);
  });
});

describe("toolrack hooks", () => {
  it("sends events: adds, shows, tests, lists deliveries, replays, pauses, resumes, rotates and removes", async () => {
    expect((await run("hooks")).output).toContain("There are no webhooks");
    const made = await run("hooks", "send", "desk", `${receiver.url}/take`, "schema_name=news.v1");
    expect([made.code, made.output]).toEqual([0, expect.stringMatching(/^whsec_\S+\n$/)]); // alone, for a script
    expect(made.errors).toContain("Save the secret now: it is not shown again.");
    expect((await run("hooks")).output).toMatch(/desk.*sent.*active/s);
    const sent = (await run("hooks", "test", "desk")).output.trim();
    await until(async () => (await json("hooks", "deliveries", "desk")).deliveries[0].state === "done");
    expect((await run("hooks", "show", "desk")).output).toContain("1 delivered, 0 waiting, 0 dead");
    expect((await run("hooks", "deliveries", "desk", "--state", "dead")).output.trim()).toBe("No delivery of this webhook is dead.");
    status = 410;
    await run("hooks", "test", "desk");
    await until(async () => (await json("hooks", "deliveries", "desk", "--state", "dead")).deliveries.length === 1);
    const [{ id: dead }] = (await json("hooks", "deliveries", "desk", "--state", "dead", "--limit", "1")).deliveries;
    const gone = await run("hooks", "show", "desk");
    expect(gone.output).toMatch(/disabled.*hooks deliveries desk --state dead/s);
    expect((await json("hooks", "deliveries", "desk", "--after", dead)).deliveries).toMatchObject([{ id: sent }]);
    status = 204;
    expect(await json("hooks", "resume", "desk")).toMatchObject({ state: "active" });
    expect(await json("hooks", "replay", "desk", dead)).toMatchObject({ id: dead });
    await until(async () => (await json("hooks", "deliveries", "desk", "--state", "done")).deliveries.length === 2);
    expect(await json("hooks", "pause", "desk")).toMatchObject({ state: "paused" });
    expect((await run("hooks", "rotate", "desk", "--overlap", "2h")).output).toMatch(/^whsec_/);
    expect((await json("hooks", "show", "desk")).secrets).toHaveLength(2);
    expect((await run("hooks", "remove", "desk")).output).toContain("was removed");
  });

  it("takes requests: adds with a mapping or a key, lists, rotates and removes", async () => {
    const made = await run("hooks", "take", "tracker", "note", "--agent", "tracker", "--input", '{"title":{"from":"/body/title"}}');
    expect([made.code, made.output, made.errors]).toEqual([0, expect.stringMatching(/^whsec_/), expect.stringContaining("/hooks/tracker")]);
    const [secret = ""] = (await run("hooks", "take", "plain", "note", "--agent", "tracker", "--key")).output.split("\n");
    const send = async (key: string): Promise<number> => {
      const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
      return (await fetch(`${server.url}/hooks/plain`, { method: "POST", headers, body: '{"title":"Hi"}' })).status;
    };
    expect([await send(secret), await send("whsec_wrong")]).toEqual([202, 401]);
    expect((await run("hooks")).output).toMatch(/plain.*taken.*\/hooks\/plain.*note as tracker/s);
    const [next = ""] = (await run("hooks", "rotate", "plain", "--overlap", "0s")).output.split("\n");
    expect([await send(secret), await send(next)]).toEqual([401, 202]);
    for (const name of ["tracker", "plain"]) expect((await run("hooks", "remove", name)).code).toBe(0);
    expect(await send(next)).toBe(401);
  });

  it("says what is wrong with an address, an agent, a duration and an id", async () => {
    expect(await fault("hooks", "send", "x", "https://10.0.0.7/", "schema_name=a.v1")).toEqual([
      2,
      expect.stringContaining("hooks.allowHosts"),
    ]);
    expect(await fault("hooks", "take", "x", "note")).toEqual([2, expect.stringContaining("--agent <agent>")]);
    expect(await fault("hooks", "rotate", "x", "--overlap", "long")).toEqual([2, expect.stringContaining("--overlap must be a number")]);
    expect(await fault("hooks", "deliveries", "x", "--limit", "many")).toEqual([2, expect.stringContaining("--limit")]);
    for (const verb of ["show", "test", "pause", "resume", "rotate", "remove", "deliveries"])
      expect(await fault("hooks", verb, "none")).toEqual([4, expect.stringContaining('no webhook "none"')]);
    expect(await fault("hooks", "replay", "none", "1")).toEqual([4, expect.stringContaining("has no delivery")]);
  });
});

describe("toolrack status", () => {
  it("shows the tools that are called at the start", async () => {
    await until(async () => (await run("status")).output.includes("At the start: note (once) done"));
  });
});

describe("toolrack jobs", () => {
  it("runs a waiting job now, filters its list, and says what is wrong with an id and a state", async () => {
    const { job } = await server.rack.jobs.add({
      tool: "note",
      input: { title: "a" },
      caller: { agent: "owner", principal: "owner" },
      at: Date.now() + 3_600_000,
    });
    expect((await json("jobs", "list", "--state", "waiting", "--origin", "call")).jobs).toMatchObject([{ id: job.id }]);
    expect((await json("jobs", "run", job.id)).id).toBe(job.id);
    expect(await json("jobs", "show", job.id, "--wait")).toMatchObject({ state: "done", result: { content: "noted a" } });
    expect((await json("jobs", "list", "--limit", "1", "--after", job.id)).jobs).not.toContainEqual(
      expect.objectContaining({ id: job.id }),
    );
    expect(await fault("jobs", "list", "--state", "lost")).toEqual([2, expect.stringContaining("state")]);
    expect(await fault("jobs", "run", job.id)).toEqual([expect.any(Number), expect.stringContaining("Only a waiting job")]);
    for (const verb of ["show", "run", "cancel", "replay"])
      expect(await fault("jobs", verb, "none")).toEqual([4, expect.stringContaining('no job "none"')]);
  });
});
