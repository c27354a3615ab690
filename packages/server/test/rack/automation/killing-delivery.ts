// A server that is killed at a stage of a delivery: see killed-deliveries.test.ts.
import { openRack } from "../../../src/rack/open.ts";

const [folder = ".", stage = "", url = "", database = ""] = process.argv.slice(2);

const rack = await openRack({
  folder,
  environment: database === "" ? {} : { DATABASE_URL: database },
  config: { hooks: { allowHosts: ["127.0.0.1"] } },
});
rack.jobs.subscribe(({ type }) => {
  if (type !== stage) return;
  process.stdout.write(`${JSON.stringify({ reached: stage })}\n`);
  process.kill(process.pid, "SIGSTOP");
});
await rack.automation.endpoints.add("desk", { url, on: { schema_name: "news.v1" } }, "owner");
await rack.store.put({ schema_name: "news.v1", title: "News", context: {} });
setInterval(() => undefined, 60_000);
