export const title = "Whether the test of each defence fails when the defence is taken away";

/** Nothing is built: tests run against the source. No peers are needed either. */
export async function prepare() {
  const { ready } = await import("../../scripts/ready.mjs");
  return ready({ build: false });
}

/** `npm run bench:defences -- --only SD4` tries one attack, or several with commas between. */
export async function run(_args, { only } = {}) {
  const { tryDefences } = await import("./try-defences.mjs");
  return tryDefences(only?.split(","));
}
