import { describe, expect, it } from "vitest";
import { listAudit } from "../../src/audit/audit.ts";
import { stateOf } from "../../src/catalog/state.ts";
import {
  approveDefinition,
  archiveDefinition,
  deprecateDefinition,
  rejectDefinition,
  validateDefinition,
} from "../../src/lifecycle/lifecycle.ts";
import { definitionHash } from "../../src/record/decision.ts";
import { createMemoryStore } from "../../src/store/memory.ts";
import { definition, randomDefinition, written } from "../../src/testing/contract/_samples.ts";
import { recordSource } from "../../src/tools/record-source.ts";
import { approveAsSeen } from "./approve.ts";

const id = "tool-def-random";

describe("the lifecycle of a definition", () => {
  it("SD5: approves nothing that is wrong, also where its author wrote that it was validated", async () => {
    const store = createMemoryStore();
    const emitter = store.as({ owner: "local", agent: "bot", roles: ["emitter"] });
    const examples = [{ description: "A wrong one", input: { min: "one" } }];
    written(await emitter.put({ ...randomDefinition, context: { ...randomDefinition.context, state: "validated", examples } }));
    expect(stateOf((await store.get(id))!)).toBe("validated");
    await expect(approveAsSeen(store, id, { reason: "good" })).rejects.toThrow(/cannot be approved.*A wrong one/);
  });

  it("approves nothing that cannot run, and says why", async () => {
    const store = createMemoryStore();
    const { problemOf } = recordSource(store, { handlers: { random: () => 1 } });
    written(await store.put(definition("other", { state: "validated" })));
    written(await store.put(definition("far", { state: "validated", implementation: { kind: "worker" } })));
    written(await store.put(definition("random", { state: "validated" })));
    const approve = async (name: string): Promise<unknown> => {
      const hash = definitionHash((await store.get(`tool-def-${name}`))!);
      return approveDefinition(store, `tool-def-${name}`, { reason: "good", hash, problemOf });
    };
    await expect(approve("other")).rejects.toThrow('cannot be approved: Tool "other": no handler "other" is registered in this process.');
    await expect(approve("far")).rejects.toThrow(/implementations of kind "worker" cannot run here. Known are local, http/);
    await approve("random");
    expect(stateOf((await store.get(id))!)).toBe("approved");
  });

  it.each([
    [{ metadata: { ownerOnly: true } }, "metadata.ownerOnly has no effect in a stored definition. Write ownerOnly beside name"],
    [{ metadata: { owner_only: true } }, "metadata.ownerOnly has no effect"],
    [
      { metadata: { requires_approval: true } },
      "metadata.requires_approval has no effect in a stored definition. Whether a person is asked",
    ],
    [
      { requires_approval: true },
      "requires_approval has no effect. Whether a person is asked before a call is set in the policy: tools.ask",
    ],
    [{ needsApproval: true }, "needsApproval has no effect."],
    [{ ownerOnlly: true }, "ownerOnlly has no effect. Did you mean ownerOnly?"],
  ])("refuses a restriction that nothing would obey: %j", async (context, problem) => {
    const store = createMemoryStore();
    written(await store.put(definition("random", context)));
    const checked = await validateDefinition(store, id);
    expect(checked.ok ? [] : checked.problems).toEqual([expect.stringContaining(problem)]);
  });

  it("accepts data of an author's own in a definition", async () => {
    const store = createMemoryStore();
    written(await store.put(definition("random", { metadata: { team: "search" }, team: "search", ownerOnly: true })));
    expect(await validateDefinition(store, id)).toMatchObject({ ok: true });
  });

  it("goes from draft over validated to approved, deprecated and archived, each decision with its reason in the audit", async () => {
    const store = createMemoryStore();
    const emitter = store.as({ owner: "local", agent: "bot", roles: ["emitter"] });
    written(await emitter.put(randomDefinition));
    const state = async (): Promise<string> => stateOf((await store.get(id))!);
    expect(await state()).toBe("draft");
    await expect(approveAsSeen(store, id, { reason: "good" })).rejects.toThrow(/Validate it first/);
    expect(await validateDefinition(emitter, id)).toMatchObject({ ok: true });
    expect(await state()).toBe("validated");
    await expect(approveAsSeen(store, id, { reason: " " })).rejects.toMatchObject({ code: "STATE_INVALID" });
    await expect(approveAsSeen(emitter, id, { reason: "mine" })).rejects.toMatchObject({ code: "FORBIDDEN" });
    await approveAsSeen(store, id, { reason: "reviewed" });
    expect(await state()).toBe("approved");
    expect((await store.get("tool-catalog"))?.context["totalTools"]).toBe(1);
    const deprecated = await deprecateDefinition(store, id, { reason: "slow", successor: "random2" });
    expect(deprecated.context).toMatchObject({
      state: "deprecated",
      deprecated: { successor: "random2" },
      review: { decision: "deprecated", reason: "slow", by: "local" },
    });
    await archiveDefinition(store, id, { reason: "gone" });
    expect(await state()).toBe("archived");
    expect((await store.get("tool-catalog"))?.context["totalTools"]).toBe(0);
    await expect(deprecateDefinition(store, id, { reason: "x" })).rejects.toThrow(/archived and cannot become deprecated/);
    expect((await listAudit(store)).map(({ kind, body }) => [kind, (body as { reason: string }).reason])).toEqual([
      ["archived", "gone"],
      ["deprecated", "slow"],
      ["approved", "reviewed"],
    ]);
  });

  it("falls back to draft when an emitter changes what was approved, or a curator rejects it", async () => {
    const store = createMemoryStore();
    const emitter = store.as({ owner: "local", agent: "bot", roles: ["emitter"] });
    written(await emitter.put(randomDefinition));
    await validateDefinition(emitter, id);
    await approveAsSeen(store, id, { reason: "ok" });
    written(await emitter.mergeContext(id, { description: "other" }));
    expect(stateOf((await store.get(id))!)).toBe("draft");
    await validateDefinition(emitter, id);
    const rejected = await rejectDefinition(store, id, { reason: "unclear" });
    expect(rejected.context).toMatchObject({ state: "draft", review: { decision: "rejected", reason: "unclear" } });
  });

  it("does not pass a definition whose schema or examples are wrong", async () => {
    const store = createMemoryStore();
    const wrong = { name: "random", state: "draft" };
    written(
      await store.put({
        ...randomDefinition,
        context: { ...randomDefinition.context, ...wrong, examples: [{ description: "bad", input: { min: "one" } }] },
      }),
    );
    expect(await validateDefinition(store, id)).toEqual({ ok: false, problems: [expect.stringContaining('"bad"')] });
    written(await store.put(definition("array", { inputSchema: { type: "array" }, state: "draft" })));
    expect(await validateDefinition(store, "tool-def-array")).toMatchObject({ ok: false });
    await expect(validateDefinition(store, "nobody")).rejects.toThrow(/no tool definition/);
  });
});
