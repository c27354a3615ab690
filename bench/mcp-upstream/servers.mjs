// Twenty MCP servers in a process of their own; the last one does what it is told: "healthy", "dead", "slow" or "flapping".
import { startHttpServer } from "../../packages/mcp/test/upstream/fixtures/http-server.mjs";

let fault = "healthy";
const tools = [{ name: "echo", description: "Says it again.", inputSchema: { type: "object", properties: { text: { type: "string" } } } }];

function misbehave(request) {
  if (fault === "dead" || (fault === "flapping" && Math.random() < 0.5)) request.socket.destroy();
  else return fault === "slow"; // the answer never comes
  return true;
}

const servers = [];
for (let index = 0; index < 20; index++) {
  servers.push(await startHttpServer({ era: "modern", json: true, notify: false, tools, ...(index === 19 && { before: misbehave }) }));
}
process.on("message", (next) => {
  fault = next;
  process.send("set");
});
process.send(servers.map(({ url, host }) => ({ url, host })));
