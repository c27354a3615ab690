import { createHash, randomUUID } from "node:crypto";
import { ToolError } from "@toolrack/core";
import { type Breadcrumb, canonicalJson } from "@toolrack/store";
import type { WriteAudit } from "../audit/audit.ts";
import { agentOf } from "../audit/author.ts";
import type { PolicyDraft, PolicyDrafts, Settings } from "../rack.ts";
import type { RecordFeed } from "../store/records.ts";

export interface DraftsOptions {
  readonly feed: RecordFeed;
  readonly settings: Settings;
  readonly audit: WriteAudit;
  now(): number;
}

export function createDrafts({ feed, settings, audit, now }: DraftsOptions): PolicyDrafts {
  const records = feed.of("toolrack.policy-draft.v1");

  /** The current values of what the draft changes: other changes do not make it stale. */
  function baseOf(changes: PolicyDraft["changes"]): string {
    const before = Object.keys(changes).map((key) => [key, settings.get(key)?.value ?? null]);
    return createHash("sha256").update(canonicalJson(before)).digest("hex");
  }

  function toDraft({ id, title, context }: Breadcrumb): PolicyDraft {
    const { changes, createdAt, createdBy, base } = context as unknown as PolicyDraft & { readonly base: string };
    return { id, title, changes, createdAt, createdBy, isCurrent: base === baseOf(changes) };
  }

  const find = async (id: string): Promise<Breadcrumb | undefined> =>
    /^draft-[0-9a-f-]{36}$/.test(id) ? (records.get(id) ?? (await records.fetch(id))) : undefined;

  return {
    list: async () => [...records.values()].map(toDraft),
    async get(id) {
      const record = await find(id);
      return record && toDraft(record);
    },
    async create({ title, changes, by }) {
      const other = Object.keys(changes).find((key) => !key.startsWith("policy."));
      if (other !== undefined)
        throw new ToolError(
          "CONFIG_INVALID",
          `A draft of the policy cannot change "${other.slice(0, 80)}". Its keys begin with "policy.".`,
        );
      settings.preview(changes);
      const record = await records.create({
        id: `draft-${randomUUID()}`,
        title,
        context: { changes, createdAt: now(), createdBy: agentOf(by), base: baseOf(changes) },
      });
      if (record === undefined) throw new ToolError("NAME_TAKEN", "The draft could not be stored. Try again.");
      return toDraft(record);
    },
    async remove(id, by) {
      if ((await find(id)) === undefined || !(await records.remove(id))) return false;
      await audit({ kind: "policy-draft-removed", subject: id, by, body: {} });
      return true;
    },
    async apply(id, by) {
      const record = await find(id);
      if (record === undefined) return undefined;
      const draft = toDraft(record);
      if (!draft.isCurrent)
        throw new ToolError(
          "CONFIG_INVALID",
          `The policy has changed since the draft "${draft.title}" was made. Look at the difference again, and make a new draft.`,
        );
      // The server that removes it applies it, so only one of two does.
      if (!(await records.remove(id))) return undefined;
      const settled = await settings.setAll(draft.changes, by);
      await audit({ kind: "policy-draft-applied", subject: id, by, body: { title: draft.title, keys: Object.keys(draft.changes) } });
      return settled;
    },
  };
}
