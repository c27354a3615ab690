import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { sized } from "@toolrack/testkit/sized";
import { runProgram } from "../src/index.ts";
import { hoards } from "./support/hoards.ts";

/** Runs programs that hold as much as they can, and prints for each what this process really held, in bytes. */
setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

function held(): number {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const limits = { memoryBytes: Number(process.argv[2]), steps: 1_000_000, calls: 100_000 };
for (const [name, source] of Object.entries(hoards)) {
  const before = held();
  let most = 0;
  let next = 1;
  let count = 0;
  const look = async () => {
    // Less often as it goes on: looking takes long.
    if (++count >= next) {
      next = count * sized(2, 1.3);
      most = Math.max(most, held() - before);
    }
    return {};
  };
  const result = await runProgram(source, { tools: { look }, limits });
  console.log(JSON.stringify({ name, most, end: result.ok ? "done" : (result.error.limit ?? result.error.message) }));
}
