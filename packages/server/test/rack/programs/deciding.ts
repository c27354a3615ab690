// A server that is killed while it records or decides about definitions: see killed.test.ts.
import { Kysely } from "kysely";
import { openRack } from "../../../src/rack/open.ts";
import { agreedConfig, shopOf, shopConfig, type Stage, type Task } from "../trust/killed-shop.ts";

const [folder = ".", task = "{}"] = process.argv.slice(2);
const { version, approves, agreed, stage } = JSON.parse(task) as Task;

const rack = await openRack({ folder, environment: {}, config: agreed === true ? agreedConfig : shopConfig, startSources: false });
if (approves !== true) killAt(stage);
await rack.registry.addSource(shopOf(version));
if (approves === true) {
  killAt(stage);
  for (const one of rack.trust.waiting()) await rack.trust.decide(one.id, { approved: true, digest: one.digest, by: "anna" });
}
// The stage was not reached.
process.stdout.write(`${JSON.stringify({ done: true })}\n`);

/** Ends this process with SIGKILL just before or after the statement. */
function killAt({ table, nth, when }: Stage): void {
  // oxlint-disable-next-line typescript/unbound-method
  const run = Kysely.prototype.executeQuery;
  let met = 0;
  Kysely.prototype.executeQuery = async function (this: Kysely<unknown>, query: { readonly sql?: string }, ...rest: unknown[]) {
    const isMeant = query.sql?.startsWith(`insert into "${table}"`) === true && ++met === nth;
    if (isMeant && when === "before") process.kill(process.pid, "SIGKILL");
    const result: unknown = await Reflect.apply(run, this, [query, ...rest]);
    if (isMeant) process.kill(process.pid, "SIGKILL");
    return result;
  } as typeof run;
}
