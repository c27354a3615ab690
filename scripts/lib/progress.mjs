import { seconds } from "./print.mjs";

/**
 * Tells what is being done while it takes its time: on a terminal one line whose seconds count up, elsewhere a line at the beginning, one every
 * ten seconds, and one at the end.
 * Returns a function that ends it, with "done" or "failed".
 */
export function startProgress(
  sentence,
  { output = process.stdout, every = output.isTTY ? 1_000 : 10_000, now = () => performance.now() } = {},
) {
  const started = now();
  const isTerminal = output.isTTY === true;
  const write = (text) => void output.write(isTerminal ? `\r\u001b[2K${text}` : `${text}\n`);
  write(`${sentence} …`);
  const timer = setInterval(() => write(`${sentence} … ${Math.round((now() - started) / 1_000)} s`), every);
  timer.unref?.();
  return (outcome) => {
    clearInterval(timer);
    write(`${sentence} … ${outcome === "failed" ? "failed after " : ""}${seconds(now() - started)}${isTerminal ? "\n" : ""}`);
  };
}
