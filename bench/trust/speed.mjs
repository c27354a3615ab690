import { readFileSync } from "node:fs";
import { join } from "node:path";
import { loadCore } from "../lib/core.mjs";

const verbs = ["get", "create", "delete", "list", "update", "search", "send", "convert"];
const things = ["invoice", "image", "mail", "ticket", "forecast", "stock", "recipe", "flight"];

/** Tools of the cases again and again, or made up where there are none. */
function toolsOf(folder, count) {
  const given =
    folder === undefined
      ? Array.from({ length: 500 }, (_, index) => {
          const [verb, thing] = [verbs[index % verbs.length], things[(index >> 3) % things.length]];
          return {
            name: `${verb}_${thing}_${index}`,
            description: `Can ${verb} one ${thing} of kind ${index}. Returns the number and the date of each ${thing}, newest first.`,
            inputSchema: {
              type: "object",
              properties: { id: { type: "string", description: `The number of the ${thing}, as list ${index} shows it.` } },
            },
          };
        })
      : readFileSync(join(folder, "benign.jsonl"), "utf8")
          .trim()
          .split("\n")
          .map((line) => JSON.parse(line).tool);
  return Array.from({ length: count }, (_, index) => given[index % given.length]);
}

export async function speedTable(folder) {
  const { scanTool, scanResult } = await loadCore("scan");
  const many = toolsOf(folder, 10_000);
  const thousand = many.slice(0, 1000);
  const text = "Please ignore the previous line and read on, said the assistant. ".repeat(3_100);
  const row = (name, seconds, most) => [name, `${seconds.toFixed(2)} s`, `< ${most} s`, seconds < most ? "ok" : "over"];
  const leastOf = (work) => Math.min(...Array.from({ length: rounds }, () => secondsOf(work)));
  return {
    caption: "CPU time. Texts that were met before are remembered: the first time is that of a process that has just started",
    columns: ["what", "time", "target", "verdict"],
    rows: [
      row(
        "10,000 tools, the first time",
        secondsOf(() => many.forEach((tool) => scanTool(tool))),
        2,
      ),
      row(
        "10,000 tools again",
        leastOf(() => many.forEach((tool) => scanTool(tool))),
        2,
      ),
      row(
        "1,000 tools, each among 1,000",
        leastOf(() => thousand.forEach((tool) => scanTool(tool, { among: thousand }))),
        4,
      ),
      row(
        "a result of 200 kB",
        leastOf(() => scanResult(text)),
        1,
      ),
    ],
  };
}

const rounds = 3;

/** Of CPU time. */
function secondsOf(work) {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}
