import { readdirSync, readFileSync } from "node:fs";

/**
 * The descriptors above 2 that whoever started this process left open for it, and that every program started from here would get
 * too: Node marks what it opens itself, and only some of what it was given. Looked for once, since no more of them come.
 */
export function inheritedDescriptors(): readonly number[] {
  return (found ??= look());
}

let found: readonly number[] | undefined;

/** Only Linux lists them; elsewhere Node passes none on. */
function look(): readonly number[] {
  try {
    return readdirSync(shown)
      .map(Number)
      .filter((descriptor) => descriptor > 2 && isHandedOn(descriptor));
  } catch {
    return [];
  }
}

const shown = "/proc/self/fdinfo";
const closeOnExec = 0o2000000;

function isHandedOn(descriptor: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)$/m.exec(readFileSync(`${shown}/${descriptor}`, "latin1"))?.[1];
    return flags !== undefined && (Number.parseInt(flags, 8) & closeOnExec) === 0;
  } catch {
    return false; // closed meanwhile, as the one that read the folder
  }
}
