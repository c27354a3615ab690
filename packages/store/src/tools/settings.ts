import { defineBundle, type EventListener, type Registry, type ToolBundle } from "@toolrack/core";
import { type ConfiguredPolicy, type PolicyConfig, readPolicyConfig } from "@toolrack/core/policy";
import type { Breadcrumb, JsonObject } from "../record/breadcrumb.ts";
import { follow } from "../store/follow.ts";
import type { BreadcrumbStore, WriteResult } from "../store/store.ts";

export const settingsSchema = "registry.settings.v1";
export const bundleSchema = "tool.bundle.v1";
const disabledId = "registry-disabled";
const policyId = "registry-policy";

/** Writes a record's content, whatever is there. */
async function write(store: BreadcrumbStore, id: string, schema_name: string, title: string, context: JsonObject): Promise<WriteResult> {
  for (let tries = 0; ; tries++) {
    const known = await store.get(id);
    const result = await store.put({
      id,
      schema_name,
      title,
      tags: ["registry:settings"],
      context,
      ...(known !== undefined && { version: known.version }),
    });
    if (result.ok || result.code !== "conflict" || tries === 20) return result;
  }
}

/** Saves the policy that registries of this store follow; undefined takes it away. */
export async function savePolicy(store: BreadcrumbStore, policy: PolicyConfig | undefined): Promise<WriteResult> {
  return write(store, policyId, settingsSchema, "Policy", { policy: policy ?? null });
}

export async function saveBundle(store: BreadcrumbStore, bundle: ToolBundle): Promise<WriteResult> {
  const { name, description, required, optional } = defineBundle(bundle);
  return write(store, `tool-bundle-${name}`, bundleSchema, name, { name, description, required, optional });
}

export async function loadBundles(store: BreadcrumbStore): Promise<readonly ToolBundle[]> {
  const found = await store.searchBreadcrumbs({ schema_name: bundleSchema, includeContext: true });
  return found.map(({ context }) => defineBundle(context as unknown as ToolBundle));
}

/**
 * Saves what an operator changes in a registry: which tools are switched off, and the policy. It is restored after a restart, and in every
 * other process on the store.
 */
export async function syncSettings(
  store: BreadcrumbStore,
  registry: Registry,
  onError: (error: unknown) => void = () => undefined,
): Promise<{ close(): Promise<void> }> {
  let disabled = new Map<string, string>();
  let isApplying = false;
  let writing: Promise<unknown> = Promise.resolve();

  /** Changes that come from the store are not written to it again. */
  function applying(work: () => void): void {
    isApplying = true;
    try {
      work();
    } catch (error) {
      onError(error);
    } finally {
      isApplying = false;
    }
  }

  function applyDisabled(record: Breadcrumb | undefined): void {
    const wanted = new Map(Object.entries((record?.context["disabled"] ?? {}) as Record<string, string>));
    for (const name of disabled.keys()) if (!wanted.has(name) && registry.has(name)) registry.enable(name);
    for (const [name, reason] of wanted) if (registry.has(name)) registry.disable(name, reason);
    disabled = wanted;
  }

  const onEvent: EventListener = (event) => {
    if (event.type === "tool-added" && disabled.has(event.tool)) applying(() => registry.disable(event.tool, disabled.get(event.tool)));
    if (isApplying || (event.type !== "tool-disabled" && event.type !== "tool-enabled")) return;
    if (event.type === "tool-disabled") disabled.set(event.tool, event.reason ?? "");
    else disabled.delete(event.tool);
    const now = Object.fromEntries(disabled);
    writing = writing.then(() => write(store, disabledId, settingsSchema, "Tools that are switched off", { disabled: now })).catch(onError);
  };

  registry.subscribe(onEvent);
  const follower = await follow(store, {
    selector: { schema_name: settingsSchema },
    apply(id, record) {
      applying(() => {
        if (id === disabledId) applyDisabled(record);
        if (id === policyId) registry.setPolicy(readStoredPolicy(record?.context["policy"]));
      });
    },
  });

  return {
    async close() {
      registry.unsubscribe(onEvent);
      await writing;
      await follower.close();
    },
  };
}

/** What a record holds is read like any configuration: `readPolicyConfig` refuses what is none. */
function readStoredPolicy(policy: unknown): ConfiguredPolicy | undefined {
  return policy === undefined || policy === null ? undefined : readPolicyConfig(policy as PolicyConfig);
}
