// A server that forgets the variables with its secrets, in a process of its own: see programs.test.ts.
import { openRack } from "../../../src/rack/open.ts";

const [folder = ""] = process.argv.slice(2);
const rack = await openRack({
  folder,
  config: { store: { sqlite: "store.db" }, redaction: { fields: ["env:NAMED_SECRET"] } },
  forgetsSecretVariables: true,
});
process.stdout.write(`${JSON.stringify({ left: Object.keys(process.env), path: process.env["PATH"] })}\n`);
process.stdin.on("data", () => void rack.close().then(() => process.exit(0)));
