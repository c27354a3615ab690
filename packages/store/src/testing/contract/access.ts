import { createRandom } from "./_random.ts";
import { describe, it } from "./collect.ts";
import { expect } from "./_expect.ts";
import type { Actor, Role } from "../../access.ts";
import type { Visibility } from "../../record/breadcrumb.ts";
import type { BreadcrumbStore } from "../../store/store.ts";
import { definition, note, take, written } from "./_samples.ts";
import type { BreadcrumbDraft } from "../../record/breadcrumb.ts";
import { exportRecords } from "../../files/transfer.ts";
import type { OpenStore } from "./open.ts";

const actor = (owner: string, agent: string, ...roles: Role[]): Actor => ({ owner, agent, roles });

export function accessContract(open: OpenStore): void {
  describe("owners, roles and visibility", () => {
    // row: H20
    it("never shows one owner a record of another, whatever is asked", async () => {
      const store = await open();
      const random = createRandom(1);
      for (let round = 0; round < 16; round++) {
        for (let drafts = random.integer(3, 10); drafts > 0; drafts--) {
          const [owner, id] = [random.pick(["one", "two", "three"]), random.pick(["a", "b", "c"])];
          const visibility = random.pick<Visibility>(["private", "team", "public"]);
          const own = store.as(actor(owner, "agent", "curator"));
          const version = (await own.get(id))?.version;
          written(await own.put(note(id, { visibility, tags: ["t"], title: `Of ${owner}`, ...(version !== undefined && { version }) })));
        }
        for (const owner of ["one", "two", "three"]) {
          const own = store.as(actor(owner, "agent", "curator"));
          const seen = [
            ...(await own.searchBreadcrumbs()),
            ...(await own.searchBreadcrumbs({ tag: "t" })),
            ...(await own.searchBreadcrumbs({ anyTags: ["t"], text: "note" })),
            ...(await own.searchBreadcrumbs({ text: "of", where: [{ path: "title", op: "exists" }] })),
            ...(await Promise.all(["a", "b", "c"].map((id) => own.get(id)))),
            ...(await own.history("a")).map(({ record }) => record),
          ];
          for (const record of seen) if (record !== undefined) expect(record.owner).toBe(owner);
        }
      }
      const changes = await take(store.as(actor("one", "agent", "curator")), 1);
      expect(changes.every(({ record }) => record.owner === "one")).toBe(true);
    });

    // row: H10
    it("shows private records to their author and curators, team records to roles, public ones to all of the owner", async () => {
      const store = await open();
      const author = store.as(actor("acme", "author", "emitter"));
      for (const visibility of ["private", "team", "public"] as const) written(await author.put(note(visibility, { visibility })));
      const seen = async (...of: [string, ...Role[]]): Promise<string[]> => {
        const other = store.as(actor("acme", ...of));
        const got = await Promise.all(["private", "team", "public"].map((id) => other.get(id)));
        const found = (await other.search()).records.map(({ id }) => id);
        expect(found).toEqual(got.flatMap((record) => record?.id ?? []));
        return found;
      };
      expect(await seen("author", "emitter")).toEqual(["private", "team", "public"]);
      expect(await seen("other", "emitter")).toEqual(["team", "public"]);
      expect(await seen("other", "subscriber")).toEqual(["team", "public"]);
      expect(await seen("other")).toEqual(["public"]);
      expect(await seen("boss", "curator")).toEqual(["private", "team", "public"]);
      expect(await store.as(actor("other-owner", "author", "curator")).get("public")).toBeUndefined();
    });

    // row: H19
    it("allows each role its own operations and no others", async () => {
      const store = await open();
      const operations: Record<string, (own: BreadcrumbStore) => Promise<unknown>> = {
        read: (own) => own.get("theirs"),
        create: (own) => own.put(note(`new-${own.actor.agent}`)),
        changeOwn: (own) => own.addTags(`own-${own.actor.agent}`, ["x"]),
        changeOthers: (own) => own.addTags("theirs", [`by-${own.actor.agent}`]),
        mergeOthers: (own) => own.mergeContext("theirs", { x: own.actor.agent }),
        restoreOthers: (own) => own.restore("theirs", 1),
        removeOthers: (own) => own.remove("removable"),
        follow: (own) => take(own, 1),
      };
      const matrix: Record<string, readonly string[]> = {
        emitter: ["read", "create", "changeOwn"],
        subscriber: ["read", "follow"],
        curator: Object.keys(operations),
      };
      const boss = store.as(actor("acme", "boss", "curator"));
      for (const [role, allowed] of Object.entries(matrix)) {
        const own = store.as(actor("acme", role, role as Role));
        for (const id of ["theirs", "removable"]) if ((await boss.get(id)) === undefined) written(await boss.put(note(id)));
        written(await store.as(actor("acme", role, "emitter")).put(note(`own-${role}`)));
        for (const [name, operation] of Object.entries(operations)) {
          const outcome = await operation(own).then(
            () => "allowed",
            (error: { code?: string }) => error.code,
          );
          expect(outcome, `${role} ${name}`).toBe(allowed.includes(name) ? "allowed" : "FORBIDDEN");
        }
      }
    });

    it("hides the past of a record that became private", async () => {
      const store = await open();
      const author = store.as(actor("acme", "author", "emitter"));
      const other = store.as(actor("acme", "other", "emitter"));
      written(await author.put(note("a")));
      expect(await other.history("a")).toHaveLength(1);
      written(await author.put(note("a", { version: 1, visibility: "private" })));
      expect(await other.history("a")).toEqual([]);
      expect(await other.diff("a", 1, 2)).toBeUndefined();
      expect(await other.restore("a", 1)).toMatchObject({ ok: false, code: "not-found" });
      expect(await author.history("a")).toHaveLength(2);
    });

    it("lets only curators write what decides over others", async () => {
      const store = await open();
      const emitter = store.as(actor("acme", "bot", "emitter"));
      const drafts = [
        { schema_name: "tool.config.v1", context: { tool: "t", config: { url: "https://elsewhere.example" } } },
        { schema_name: "registry.settings.v1", id: "registry-policy", context: { policy: null } },
        { schema_name: "tool.secret.v1", id: "secret-x", context: { name: "x" } },
        { schema_name: "tool.bundle.v1", id: "tool-bundle-x", context: {} },
      ];
      for (const draft of drafts) {
        await expect(emitter.put(draft), draft.schema_name).rejects.toMatchObject({ code: "FORBIDDEN" });
        expect(await store.as(actor("acme", "boss", "curator")).put(draft)).toMatchObject({ ok: true });
      }
    });

    it("SD6: keeps ids that follow from names for what has the name", async () => {
      const store = await open();
      const emitter = store.as(actor("acme", "bot", "emitter"));
      for (const id of ["secret-x", "tool-config-x", "tool-bundle-x", "registry-policy", "tool-def-x"])
        await expect(emitter.put(note(id)), id).rejects.toMatchObject({
          code: "FORBIDDEN",
          message: expect.stringContaining("are reserved"),
        });
      written(await emitter.put(definition("x")));
      written(await store.as(actor("acme", "boss", "curator")).put(note("secret-x")));
    });

    // row: H19
    it("opens one record to one agent by a grant", async () => {
      const store = await open();
      const author = store.as(actor("acme", "author", "emitter"));
      written(await author.put(note("a", { visibility: "private", grants: { reader: "read", writer: "write" } })));
      const [reader, writer, other] = ["reader", "writer", "constructor"].map((agent) => store.as(actor("acme", agent, "emitter")));
      expect(await reader!.get("a")).toBeDefined();
      expect((await reader!.search()).records).toHaveLength(1);
      await expect(reader!.addTags("a", ["x"])).rejects.toMatchObject({ code: "FORBIDDEN" });
      expect(await writer!.addTags("a", ["x"])).toMatchObject({ ok: true });
      expect(await other!.get("a")).toBeUndefined();
      expect((await other!.search()).records).toEqual([]);
      expect(await other!.addTags("a", ["x"])).toMatchObject({ ok: false, code: "not-found" });
    });

    it("keeps hashed keys as records that only curators write, and that no export holds", async () => {
      const store = await open();
      const key = (hash: string): BreadcrumbDraft => ({
        id: `key-${hash}`,
        schema_name: "toolrack.key.v1",
        title: "Key of the planner",
        tags: [`key:${hash}`],
        context: { hash, actor: { owner: "local", agent: "planner", roles: ["emitter"] } },
        visibility: "private",
        sensitivity: "secret",
      });
      const hashes = ["a1", "b2"].map((half) => half.repeat(32));
      for (const hash of hashes) written(await store.put(key(hash)));
      expect((await store.search({ tag: `key:${hashes[1]}`, includeContext: true })).records).toMatchObject([
        { context: { hash: hashes[1] } },
      ]);
      expect((await store.search({ text: "planner" })).records).toHaveLength(2);
      expect((await store.search({ text: "emitter" })).records).toEqual([]);
      const emitter = store.as({ owner: "local", agent: "bot", roles: ["emitter", "subscriber"] });
      await expect(emitter.put(key("c3"))).rejects.toMatchObject({ code: "FORBIDDEN" });
      expect(await emitter.get(`key-${hashes[0]}`)).toBeUndefined();
      expect(await exportRecords(store)).toEqual({ records: [], withheld: 2 });
    });
  });
}
