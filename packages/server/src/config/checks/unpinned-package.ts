import path from "node:path";
import type { SourceConfig } from "../config.ts";

/**
 * The package that a command would fetch in its newest version: `npx -y some-server` → "some-server". Undefined for an exact version, for
 * installed programs, and for every other command.
 */
export function findUnpinnedPackage({ command, args = [] }: Pick<SourceConfig, "command" | "args">): string | undefined {
  const runner = findRunner(command, args);
  if (runner === undefined) return undefined;
  const { packages, flags } = packagesIn(runner);
  if (flags.some((flag) => staysHere.has(flag))) return undefined;
  return packages.find((spec) => !isLocal(spec) && !isExact(spec));
}

/** Every package that a command asks a package runner for, as it is written: `npx -y some-server@1.2.3` → ["some-server@1.2.3"]. */
export function findPackages({ command, args = [] }: Pick<SourceConfig, "command" | "args">): readonly string[] {
  const runner = findRunner(command, args);
  return runner === undefined ? [] : packagesIn(runner).packages.filter((spec) => !isLocal(spec));
}

/** Package runners, each with the words that come before its own arguments. */
const runners: readonly (readonly string[])[] = [
  ["npx"],
  ["npm", "exec"],
  ["npm", "x"],
  ["pnpx"],
  ["pnpm", "dlx"],
  ["yarn", "dlx"],
  ["bunx"],
  ["bun", "x"],
  ["uvx"],
  ["uv", "tool", "run"],
  ["pipx", "run"],
];

interface Runner {
  readonly args: readonly string[];
  /** Whether its first plain word is an installed program, and only flags name packages. */
  readonly runsOwn: boolean;
}

function findRunner(command: string | undefined, args: readonly string[]): Runner | undefined {
  if (command === undefined) return undefined;
  const program = path.win32
    .basename(command)
    .toLowerCase()
    .replace(/\.(?:cmd|exe|ps1)$/, "");
  if (program === "env") {
    const first = args.findIndex((arg) => !arg.startsWith("-") && !/^\w+=/.test(arg));
    return first === -1 ? undefined : findRunner(args[first], args.slice(first + 1));
  }
  // "npm --yes exec some-server": flags of the program itself may come first.
  const start = Math.max(
    0,
    args.findIndex((arg) => !arg.startsWith("-")),
  );
  const [flags, own] = [args.slice(0, start), args.slice(start)];
  if (program === "uv" && own[0] === "run") return { args: [...flags, ...own.slice(1)], runsOwn: true };
  const words = runners.find(([first, ...more]) => first === program && more.every((word, index) => own[index] === word));
  return words === undefined ? undefined : { args: [...flags, ...own.slice(words.length - 1)], runsOwn: false };
}

/** With one of these, nothing is fetched. */
const staysHere: ReadonlySet<string> = new Set(["--no-install", "--no", "--offline"]);

/** Flags whose next word is a package, which takes the place of the plain word: that is a program of it then. */
const packageFlags: ReadonlySet<string> = new Set(["-p", "--package", "--from", "--spec"]);

/** Flags whose next word is one more package. */
const moreFlags: ReadonlySet<string> = new Set(["--with"]);

/** Flags whose next word is something else. */
const valueFlags: ReadonlySet<string> = new Set([
  "-c",
  "--call",
  "--registry",
  "--userconfig",
  "--cache",
  "--prefix",
  "--python",
  "--index-url",
]);

/** What the flags name, and the first plain word unless a flag takes its place. What comes after that word belongs to its program. */
function packagesIn({ args, runsOwn }: Runner): { readonly packages: readonly string[]; readonly flags: readonly string[] } {
  const named: string[] = [];
  const more: string[] = [];
  const flags: string[] = [];
  const answer = (word: readonly string[]): ReturnType<typeof packagesIn> => ({
    packages: [...more, ...(named.length === 0 && !runsOwn ? word : named)],
    flags,
  });
  for (let at = 0; at < args.length; at++) {
    const arg = args[at]!;
    const [flag, value] = arg.startsWith("--") && arg.includes("=") ? splitAt(arg, arg.indexOf("=")) : [arg, undefined];
    if (arg.startsWith("-")) flags.push(flag);
    if (packageFlags.has(flag)) named.push(value ?? args[++at] ?? "");
    else if (moreFlags.has(flag)) more.push(value ?? args[++at] ?? "");
    else if (valueFlags.has(flag)) at += value === undefined ? 1 : 0;
    else if (arg === "--") return answer(args.slice(at + 1, at + 2));
    else if (!arg.startsWith("-")) return answer([arg]);
  }
  return answer([]);
}

function splitAt(text: string, index: number): readonly [string, string] {
  return [text.slice(0, index), text.slice(index + 1)];
}

function isLocal(spec: string): boolean {
  return /^(?:\.{1,2}(?:[\\/]|$)|[\\/]|~[\\/]|[A-Za-z]:[\\/]|file:)/.test(spec);
}

/** "some-server@1.2.3", "@scope/server@npm:other@1.2.3-rc.1", "some-server==1.2.3", "github:owner/name#<commit>". */
function isExact(spec: string): boolean {
  if (/^(?:git|https?|ssh|github|gitlab|bitbucket)[:+]/.test(spec)) return /[#@][0-9a-f]{40}$/.test(spec);
  return (
    /[^@](?:@v?\d+\.\d+|==v?\d+)(?:\.\d+)+(?:[-+.]?[0-9A-Za-z][0-9A-Za-z.+-]*)?$/.test(spec) &&
    !/[<>~^*|,\s]/.test(spec) &&
    !/\.x$/i.test(spec)
  );
}
