// A server that is killed at a stage of a job: see killed.test.ts.
import { openRack } from "../../../src/rack/open.ts";
import { jobTools, type Stage } from "./job-tools.ts";

const [folder = ".", stage = "", tool = "", database = ""] = process.argv.slice(2);
const say = (line: unknown): void => void process.stdout.write(`${JSON.stringify(line)}\n`);

/** Says that the stage is reached, and goes no further. */
const reach = async (reached: Stage): Promise<void> => {
  if (reached !== stage) return;
  say({ reached });
  await new Promise(() => undefined);
};

const rack = await openRack({
  folder,
  environment: database === "" ? {} : { DATABASE_URL: database },
  tools: jobTools(folder, reach),
  config: { policy: { unknownAgents: "allow" } },
});
rack.jobs.subscribe(({ type }) => {
  if (type === stage) {
    say({ reached: stage });
    process.kill(process.pid, "SIGSTOP");
  }
});
await rack.jobs.add({ tool, input: {}, caller: { agent: "anna" }, key: "once", ...(stage === "added" && { at: Date.now() + 1_000 }) });
setInterval(() => undefined, 60_000);
