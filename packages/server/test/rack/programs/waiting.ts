// A server that is killed while a program waits or runs: see killed.test.ts.
import { openRack } from "../../../src/rack/open.ts";
import { payingConfig, payingSource, payingTools, type Stage } from "./paying-tools.ts";

const [folder = ".", holdAt = "", database = ""] = process.argv.slice(2);
const say = (line: unknown): void => void process.stdout.write(`${JSON.stringify(line)}\n`);
/** Tells that it is there, and stays there until it is killed. */
const reach = async (stage: Stage): Promise<void> => {
  if (stage !== holdAt) return;
  say({ at: stage });
  await new Promise<void>((resolve) => void setTimeout(resolve, 3_600_000));
};

const rack = await openRack({
  folder,
  environment: database === "" ? {} : { DATABASE_URL: database },
  tools: payingTools(folder, reach),
  config: payingConfig,
});
void rack.call("run_code", { code: payingSource }, { caller: { agent: "worker" } }).result.then((result) => say({ result }));
for (;;) {
  const [asked] = await rack.approvals.list();
  if (asked === undefined) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    continue;
  }
  await reach(asked.tool === "pay" ? "asked" : "asking");
  const deciding = rack.approvals.decide(asked.id, { approved: true, by: "anna" });
  if (holdAt === "approved") say({ at: "approved" });
  await deciding;
}
