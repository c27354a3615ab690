import { readFileSync } from "node:fs";
import { loadCode } from "./load.mjs";

/** Prepares the program on standard input once, in a process that has loaded the parser, and prints its CPU time in milliseconds. */
const { prepareProgram } = await loadCode();
const source = readFileSync(0, "utf8");
prepareProgram("const n: number = 1; return n;");
const before = process.cpuUsage();
prepareProgram(source);
const { user, system } = process.cpuUsage(before);
console.log((user + system) / 1000);
