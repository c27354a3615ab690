import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { placeFor } from "../lib/peers.mjs";
import { duration } from "../lib/table.mjs";

const count = 1_000;
const distinct = 50;

/** What a defined tool costs, each kind in a process of its own, and how many validators a thousand tools share. */
export async function definingTable() {
  const rows = [
    await row("defined from JSON Schema", "json", []),
    await row("defined from a plain Zod schema", "plain-zod", ["zod"]),
    await row("defined from a Zod schema that refines", "refining-zod", ["zod"]),
    await row("the plain Zod schema alone", "zod-alone", ["zod"]),
  ];
  const { validators } = await inChild("sharing");
  rows.push([
    `validators of ${count.toLocaleString("en")} tools over ${distinct} schemas`,
    "",
    String(validators),
    `= ${distinct}`,
    validators === distinct ? "ok" : "over",
  ]);
  return {
    caption: `Defining tools, ${count.toLocaleString("en")} of each kind`,
    columns: ["what", "CPU time", "kept", "target", "verdict"],
    rows,
  };
}

async function row(name, kind, needs) {
  const { notRun } = placeFor(needs);
  if (notRun) return [name, "not run", "", "", notRun];
  const { ns, bytes } = await inChild(kind);
  return [name, `${duration(ns)} each`, `${(bytes / 1_000).toFixed(1)} kB each`, "", ""];
}

function inChild(kind) {
  return new Promise((resolve, reject) => {
    const args = [kind, String(count), String(distinct)];
    const child = fork(fileURLToPath(new URL("./defining-child.mjs", import.meta.url)), args, { execArgv: ["--expose-gc"] });
    child.on("message", resolve);
    child.on("exit", (code) => code !== 0 && reject(new Error(`Defining tools ended with ${code}.`)));
  });
}
