import { measureModules } from "./modules.mjs";

// Started by peers.mjs under another Node: one job comes in, its rows go out.
process.once("message", async (job) => {
  process.send(await measureModules(job), () => process.disconnect());
});
