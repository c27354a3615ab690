// A rack in plain Node, since the test runner loads modules in its own way. Arguments: its folder, then the modules.
// Prints what it logs, its module sources once it is open, and the answer to each line of its input: the name of a tool to call.

import { createInterface } from "node:readline";
import { openRack } from "../../../src/rack/open.ts";

const [folder, ...modules] = process.argv.slice(2);
const print = (line: unknown): void => void process.stdout.write(`${JSON.stringify(line)}\n`);
const logged =
  (level: string) =>
  (message: string): void =>
    print({ level, message });

const rack = await openRack({
  folder: folder!,
  config: { store: { memory: true }, agents: { a: {} }, tools: { modules, packs: { utility: false, sessions: false, files: false } } },
  log: { debug: () => undefined, info: logged("info"), warn: logged("warn"), error: logged("error") },
  reloadModules: true,
});
print({ sources: rack.sources.list().filter(({ id }) => id.startsWith("module:")) });

for await (const line of createInterface({ input: process.stdin })) {
  const result = await rack.call(JSON.parse(line) as string, {}, { caller: { agent: "a" } }).result;
  print({ answer: result.ok ? result.content : result.error });
}
