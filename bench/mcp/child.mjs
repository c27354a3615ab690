/** Started with `{ file, setting }`; tells its port, then its CPU time or its heap as often as it is asked. */
process.once("message", async ({ file, setting }) => {
  const { start } = await import(file);
  const port = await start(setting);
  process.on("message", (question) => process.send(question === "cpu" ? process.cpuUsage() : heap()));
  process.send({ port });
});
process.once("disconnect", () => process.exit(0));

function heap() {
  for (let time = 0; time < 4; time++) globalThis.gc();
  return process.memoryUsage();
}
