export const title = "What it costs to be watched: a scrape of the metrics with 1,000 tools, and a log line for a call";

export async function run() {
  const { measureSignals } = await import("./measure-signals.mjs");
  return measureSignals();
}
