// A store on an engine of your own: it passes the contract of engines, and its records are there after a restart.
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
// #region imports
import { join } from "node:path";
import { createStore, verifyAudit } from "@toolrack/store";
import { engineContract } from "@toolrack/store/testing";
import { openJournalEngine } from "./journal-engine.ts";
// #endregion

const folder = await mkdtemp(join(tmpdir(), "toolrack-"));

// #region use
const path = join(folder, "records.journal");
const store = createStore(await openJournalEngine(path));
await store.put({ id: "greeting", schema_name: "note.v1", title: "Greeting", context: { text: "Hello" } });
await store.close();

const again = createStore(await openJournalEngine(path));
console.log((await again.get("greeting"))?.context);
// #endregion
assert.deepEqual((await again.get("greeting"))?.context, { text: "Hello" });
assert((await verifyAudit(again)).ok);
await again.close();

// #region contract
let files = 0;
const checks = engineContract(() => openJournalEngine(join(folder, `${files++}.journal`)));
const groups = ["transactions of the engine", "records", "writers at the same time", "the feed", "the lease of a server"];
for (const check of checks.filter(({ group }) => groups.includes(group))) await check.run();
console.log(`The engine passes the checks of: ${groups.join(", ")}.`);
// #endregion
await rm(folder, { recursive: true });
