import type { StdioOptions } from "node:child_process";
import { closeSync, openSync, readdirSync, readFileSync } from "node:fs";

/**
 * The `stdio` of a program that gets these descriptors and no others. Node cannot close a descriptor for a program, so those that were left
 * open for this process are an empty file to it. Call `close` when the program has started.
 */
export function onlyDescriptors(wanted: readonly ("pipe" | "ignore")[]): { readonly stdio: StdioOptions; close(): void } {
  const others = inheritedDescriptors().filter((descriptor) => descriptor >= wanted.length);
  if (others.length === 0) return { stdio: [...wanted], close() {} };
  const empty = openSync("/dev/null", "r");
  const stdio: ("pipe" | "ignore" | number)[] = [...wanted];
  for (let at = wanted.length; at <= Math.max(...others); at++) stdio.push(others.includes(at) ? empty : "ignore");
  return { stdio, close: () => closeSync(empty) };
}

/**
 * The descriptors above 2 that whoever started this process left open for it, and that every program started from here would get
 * too: Node marks what it opens itself, and only some of what it was given. Looked for once, since no more of them come.
 */
function inheritedDescriptors(): readonly number[] {
  return (found ??= look());
}

let found: readonly number[] | undefined;

/** Only Linux lists them; elsewhere Node passes none on. */
function look(): readonly number[] {
  try {
    return readdirSync(shown)
      .map(Number)
      .filter((descriptor) => descriptor > 2 && isPassedOn(descriptor));
  } catch {
    return [];
  }
}

const shown = "/proc/self/fdinfo";
const closeOnExec = 0o2000000;

function isPassedOn(descriptor: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)$/m.exec(readFileSync(`${shown}/${descriptor}`, "latin1"))?.[1];
    return flags !== undefined && (Number.parseInt(flags, 8) & closeOnExec) === 0;
  } catch {
    return false; // closed meanwhile, as the one that read the folder
  }
}
