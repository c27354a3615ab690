import { isCurator } from "../access.ts";
import type { BreadcrumbStore } from "../store/store.ts";

export const requestSchema = "tool.config.request.v1";

/** Records that a secret is needed and not set: one open record per secret, however often it is requested. */
export async function openSecretRequest(store: BreadcrumbStore, name: string, tool?: string): Promise<void> {
  if (!isCurator(store.actor) && !store.actor.roles.includes("emitter")) return;
  const id = requestId(name);
  const known = await store.get(id);
  const tools = [...new Set([...((known?.context["tools"] as string[] | undefined) ?? []), ...(tool === undefined ? [] : [tool])])].sort();
  const isOpen = known?.context["state"] === "open";
  if (isOpen && tools.length === (known.context["tools"] as string[]).length) return;
  await store.put({
    id,
    schema_name: requestSchema,
    title: `The secret ${name} is not set`,
    tags: ["tool:config:request", "state:open"],
    context: { secret: name, tools, state: "open" },
    ...(known !== undefined && { version: known.version }),
  });
}

export async function closeSecretRequest(store: BreadcrumbStore, name: string): Promise<void> {
  const known = await store.get(requestId(name));
  if (known === undefined || known.context["state"] !== "open") return;
  await store.put({ ...known, tags: ["tool:config:request", "state:closed"], context: { ...known.context, state: "closed" } });
}

function requestId(name: string): string {
  return `config-request-secret-${name}`;
}
