import { CommandError } from "../errors.ts";
import { counted } from "../print/counted.ts";
import { safe } from "../print/safe.ts";
import { showTime } from "../print/time.ts";
import type { CommandInput } from "./command.ts";

export async function listWorkers({ connect, terminal }: CommandInput): Promise<"ok"> {
  const connection = await connect();
  const answer = await connection.ask("GET /workers");
  terminal.answer(answer, () => {
    const { publicKey, pools } = answer;
    const rows = pools.flatMap(({ pool, workers }) =>
      workers.map(({ instance, version = "", state, slots, running, tools, seenAt }) => [
        safe(pool),
        safe(instance),
        safe(version),
        safe(state),
        `${running} of ${slots}`,
        String(tools),
        showTime(seenAt),
      ]),
    );
    const empty = pools.filter(({ workers }) => workers.length === 0);
    return [
      ...(rows.length === 0 ? [] : [terminal.table(["POOL", { id: "WORKER" }, "VERSION", "STATE", "RUNNING", "TOOLS", "LAST SEEN"], rows)]),
      ...empty.map(
        ({ source, pool, error }) =>
          `Pool ${safe(pool)} (source ${safe(source)}) has no worker${error === undefined ? "." : `: ${safe(error)}`}`,
      ),
      ...pools.flatMap(({ problems = [] }) => problems.map((problem) => safe(problem))),
      ...(pools.length === 0 ? ["No pool of workers is configured. See sources.<id>.workers in the reference of the configuration."] : []),
      `Public key of this server, for the option --server of a worker: ${publicKey}`,
    ].join("\n");
  });
  return "ok";
}

export async function drainWorker({ arguments: [given], connect, terminal }: CommandInput<[given: string]>): Promise<"ok"> {
  const connection = await connect();
  const { pools } = await connection.ask("GET /workers");
  const known = pools.flatMap(({ workers }) => workers.map(({ instance }) => instance));
  const found = known.filter((instance) => instance.startsWith(given));
  if (found.length !== 1)
    throw new CommandError(
      found.length === 0 ? "notFound" : "usage",
      found.length === 0
        ? `There is no worker "${safe(given)}". See: toolrack workers list`
        : `"${safe(given)}" is the beginning of ${counted(found.length, "worker")}: ${safe(found.join(", "))}. Write more of the id.`,
    );
  const answer = await connection.ask("POST /workers/{instance}/drain", { params: { instance: found[0]! } });
  terminal.answer(answer, () => `Worker ${safe(found[0]!)} takes no more calls, and ends when those that it has have ended.`);
  return "ok";
}
