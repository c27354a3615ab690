export const title = "Sessions of agents: how long one with 1,000 messages takes to read, and what a message costs to append";

export async function run() {
  const { measureSessions } = await import("./measure-sessions.mjs");
  return measureSessions();
}
