import { spawn } from "node:child_process";
import { createWriteStream } from "node:fs";
import type { Writable } from "node:stream";
import { type ExitReason, exitCodes } from "../errors.ts";

/** Tells the second process that the client reads from this descriptor. */
const mark = "TOOLRACK_PROTOCOL_DESCRIPTOR";
const descriptor = 3;

/**
 * The stream that the client reads, where this is the second process: its standard output is standard error, also for programs that a tool
 * starts and that inherit it, so that nothing but messages reaches the client.
 */
export function protocolOutput(): Writable | undefined {
  if (process.env[mark] !== String(descriptor)) return undefined;
  // Not for the programs of tools.
  delete process.env[mark];
  return createWriteStream("", { fd: descriptor }).on("error", () => process.exit(0));
}

/** Runs this very command a second time, with its standard output on another descriptor, until it ends. */
export async function runWithProtocolOutput(signal: AbortSignal): Promise<ExitReason> {
  const child = spawn(process.execPath, [...process.execArgv, ...process.argv.slice(1)], {
    stdio: [0, 2, 2, 1],
    env: { ...process.env, [mark]: String(descriptor) },
  });
  signal.addEventListener("abort", () => child.kill("SIGTERM"), { once: true });
  const code = await new Promise<number>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (ended) => resolve(ended ?? exitCodes.failed.code));
  });
  const reasons = Object.entries(exitCodes) as [ExitReason, { readonly code: number }][];
  return reasons.find(([, known]) => known.code === code)?.[0] ?? "failed";
}
