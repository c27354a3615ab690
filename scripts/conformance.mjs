import { parseArgs } from "node:util";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { root } from "./lib/files.mjs";
import { run } from "./lib/run.mjs";
import { sourceArguments, startFixtureServer } from "./conformance/fixture-server.mjs";
import { conformancePlace } from "./conformance/place.mjs";
import { newExpectations, runSuite } from "./conformance/suite.mjs";

/**
 * `npm run conformance`: the official MCP suite against our server and our client, for both revisions, and the Inspector's check of
 * the list. `-- --only server` runs one part: server, inspector or client.
 * `-- --serve 3000` starts the server with the suite's tools, and nothing else.
 */
const { values } = parseArgs({ options: { serve: { type: "string" }, only: { type: "string" } } });
const revisions = ["2025-11-25", "2026-07-28"];
const place = await conformancePlace();

if (values.serve === undefined) process.exitCode = (await checkAll()) ? 0 : 1;
else await serveOnly(Number(values.serve));

async function serveOnly(port) {
  const { url, child } = await startFixtureServer(place.node, port);
  console.log(`The tools of the suite are served at ${url}. End with Ctrl-C.`);
  process.on("SIGINT", () => child.kill());
  process.on("SIGTERM", () => child.kill());
  await new Promise((resolve) => child.once("exit", resolve));
}

async function checkAll() {
  const grown = await newExpectations(root);
  if (grown.length > 0) {
    console.log(`The list of expected failures may only shrink. New in it: ${grown.join(", ")}`);
    return false;
  }
  const wants = (part) => values.only === undefined || values.only === part;
  const results = [];
  const server = await startFixtureServer(place.node);
  try {
    if (wants("server")) for (const revision of revisions) results.push(await checkSide("server", revision, ["--url", server.url]));
    if (wants("inspector")) for (const era of ["modern", "legacy"]) results.push(await checkList(era, server.url));
  } finally {
    await server.stop();
  }
  if (wants("client")) for (const revision of revisions) results.push(await checkSide("client", revision, ["--command", clientCommand()]));
  return results.length > 0 && results.every(Boolean);
}

/** The suite starts it anew for each scenario, and adds the address of its own server. */
function clientCommand() {
  const file = fileURLToPath(new URL("../packages/mcp/conformance/client.mjs", import.meta.url));
  return [place.node, ...sourceArguments, file].join(" ");
}

async function checkSide(side, revision, target) {
  const { passed, failed, warnings, findings, isGood, output } = await runSuite(place, side, revision, target);
  console.log(`${side} ${revision}: ${passed} passed, ${failed} failed, ${warnings} warnings`);
  for (const finding of findings) console.log(`  ${finding}`);
  if (passed === 0) console.log(output);
  return isGood && passed > 0;
}

/** The Inspector ends with 6 where a schema is not portable. */
async function checkList(era, url) {
  const home = join(place.folder, "home");
  mkdirSync(home, { recursive: true });
  const args = [place.inspector, "--cli", url, "--method", "tools/list", "--strict", "--protocol-era", era];
  const { code, output } = await run(place.node, args, { env: { ...process.env, HOME: home, USERPROFILE: home } });
  console.log(`inspector ${era}: tools/list --strict ended with ${code}`);
  if (code !== 0) console.log(output);
  return code === 0;
}
