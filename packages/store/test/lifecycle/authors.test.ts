import { defineTool } from "@toolrack/core";
import { describe, expect, it } from "vitest";
import { stateOf } from "../../src/catalog/state.ts";
import { exportRecords, importRecords } from "../../src/files/transfer.ts";
import { archiveDefinition, deprecateDefinition, validateDefinition } from "../../src/lifecycle/lifecycle.ts";
import { createMemoryStore } from "../../src/store/memory.ts";
import type { BreadcrumbStore } from "../../src/store/store.ts";
import { publishTool } from "../../src/tools/publish.ts";
import { definition, written } from "../../src/testing/contract/_samples.ts";
import { approveAsSeen } from "./approve.ts";

const id = "tool-def-t";
const reason = { reason: "Read." };
const somebodyElse = { code: "FORBIDDEN", message: expect.stringContaining("someone else has to decide") };

function setUp(): { store: BreadcrumbStore; one: BreadcrumbStore; two: BreadcrumbStore; bot: BreadcrumbStore } {
  const store = createMemoryStore();
  const as = (agent: string, role: "curator" | "emitter"): BreadcrumbStore => store.as({ owner: "local", agent, roles: [role] });
  return { store, one: as("one", "curator"), two: as("two", "curator"), bot: as("bot", "emitter") };
}
const state = async (store: BreadcrumbStore): Promise<string> => stateOf((await store.get(id))!);

describe("a curator who wrote a definition", () => {
  it("SD5: does not approve it by creating or publishing it", async () => {
    const { one } = setUp();
    written(await one.put(definition("t")));
    expect(await state(one)).toBe("draft");
    await publishTool(one, defineTool({ name: "p", description: "P", inputSchema: { type: "object" }, handler: () => "" }));
    expect(stateOf((await one.get("tool-def-p"))!)).toBe("draft");
    await expect(one.put(definition("u"), { approve: reason })).rejects.toMatchObject(somebodyElse);
  });

  it("SD5: does not approve its own draft after validating it; another curator does", async () => {
    const { one, two } = setUp();
    written(await one.put(definition("t")));
    await validateDefinition(one, id);
    await expect(approveAsSeen(one, id, reason)).rejects.toMatchObject(somebodyElse);
    expect(await state(one)).toBe("validated");
    await approveAsSeen(two, id, reason);
    expect(await state(one)).toBe("approved");
    await deprecateDefinition(one, id, reason);
    await archiveDefinition(one, id, reason);
    expect(await state(one)).toBe("archived");
  });

  it("SD5: is the author of what it edited, and not of what it only tagged or validated", async () => {
    const { one, two, bot } = setUp();
    written(await bot.put(definition("t")));
    await validateDefinition(one, id);
    written(await one.addTags(id, ["seen"]));
    await approveAsSeen(one, id, reason);
    expect(await state(one)).toBe("approved");
    written(await one.mergeContext(id, { description: "Sends secrets" }));
    await validateDefinition(two, id);
    written(await two.addTags(id, ["more"]));
    await expect(approveAsSeen(one, id, reason)).rejects.toMatchObject(somebodyElse);
    await approveAsSeen(two, id, reason);
  });

  it("SD5: is no less its author after a small edit by somebody else", async () => {
    const { one, two, bot } = setUp();
    written(await bot.put(definition("t")));
    written(await one.mergeContext(id, { implementation: { kind: "http", method: "GET", endpoint: "https://evil.example/" } }));
    written(await bot.mergeContext(id, { description: "A typo mended" }));
    await validateDefinition(bot, id);
    await expect(approveAsSeen(one, id, reason)).rejects.toMatchObject(somebodyElse);
    await approveAsSeen(two, id, reason);
    expect(await state(one)).toBe("approved");
  });

  it("SD5: does not approve with a key what it wrote with a token of the same name, nor the other way round", async () => {
    const { store } = setUp();
    const as = (agent: string): BreadcrumbStore => store.as({ owner: "local", agent, roles: ["curator"] });
    const [key, token, other] = [as("anna"), as("token https://login.example.com/ anna"), as("hannah")];
    written(await token.put(definition("t")));
    await validateDefinition(token, id);
    await expect(approveAsSeen(key, id, reason)).rejects.toMatchObject(somebodyElse);
    await approveAsSeen(other, id, reason);
    written(await key.mergeContext(id, { description: "Another" }));
    await validateDefinition(key, id);
    await expect(approveAsSeen(token, id, reason)).rejects.toMatchObject(somebodyElse);
  });

  it("SD5: does not approve what the same agent wrote under another sign-in, whatever its issuer and subject", async () => {
    const { store } = setUp();
    const as = (agent: string, signedInAs?: string): BreadcrumbStore =>
      store.as({ owner: "local", agent, roles: ["curator"], ...(signedInAs !== undefined && { signedInAs }) });
    const ways = [
      as("anna"),
      as("token https://login.example.com/ 8f14e45f", "anna"),
      as("token https://login.example.com/ 0b7c", "anna"),
      as("token https://other.example.com/ 8f14e45f", "ANNA"),
    ];
    const other = as("token https://login.example.com/ 77aa", "hannah");
    for (const [number, writer] of ways.entries()) {
      const name = `t${number}`;
      written(await writer.put(definition(name)));
      await validateDefinition(writer, `tool-def-${name}`);
      for (const decider of ways) await expect(approveAsSeen(decider, `tool-def-${name}`, reason)).rejects.toMatchObject(somebodyElse);
      await approveAsSeen(other, `tool-def-${name}`, reason);
    }
  });

  it("SD5: stays its author when somebody else changes it and puts it back, however long ago it was", async () => {
    const { one, bot } = setUp();
    written(await one.put({ ...definition("t"), grants: { bot: "write" } }));
    for (let tag = 0; tag < 25; tag++) written(await bot.addTags(id, [`tag-${tag}`]));
    written(await bot.mergeContext(id, { description: "Other" }));
    written(await bot.restore(id, 1));
    await validateDefinition(bot, id);
    await expect(approveAsSeen(one, id, reason)).rejects.toMatchObject(somebodyElse);
  });

  it("SD5: may decide about what others changed since its own content was approved, also where that is deprecated by now", async () => {
    const { one, two } = setUp();
    written(await one.put(definition("t")));
    await validateDefinition(one, id);
    await approveAsSeen(two, id, reason);
    await deprecateDefinition(two, id, reason);
    written(await two.mergeContext(id, { description: "Says more" }));
    await validateDefinition(two, id);
    await approveAsSeen(one, id, reason);
    expect(await state(one)).toBe("approved");
  });

  it("SD5: does not approve by importing", async () => {
    const { store, one, two } = setUp();
    written(await store.put(definition("t")));
    const { records } = await exportRecords(store);
    const values = records.map((value) => ({ place: value.id, value: JSON.parse(JSON.stringify(value)) as unknown }));
    const other = createMemoryStore();
    const curator = other.as({ ...one.actor });
    const { problems } = await importRecords(curator, values, { approve: { reason: "Moved." } });
    expect(problems).toEqual([expect.stringContaining("someone else has to decide")]);
    await importRecords(curator, values);
    await importRecords(other.as({ ...two.actor }), values, { approve: { reason: "Moved." } });
    expect(await state(other)).toBe("approved");
  });

  it("SD5: decides alone where the store is its own", async () => {
    const { store } = setUp();
    const owner = store.as({ owner: "local", agent: "me", roles: ["curator"], approvesOwn: true });
    written(await owner.put(definition("t", { state: "draft" })));
    await validateDefinition(owner, id);
    await approveAsSeen(owner, id, reason);
    expect(await state(owner)).toBe("approved");
    const emitter = store.as({ owner: "local", agent: "e", roles: ["emitter"], approvesOwn: true });
    written(await emitter.put(definition("u")));
    expect(stateOf((await emitter.get("tool-def-u"))!)).toBe("draft");
  });
});
