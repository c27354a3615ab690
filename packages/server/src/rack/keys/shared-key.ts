import { randomBytes } from "node:crypto";
import { ToolError } from "@toolrack/core";
import type { BreadcrumbStore, KeyProvider } from "@toolrack/store";

const id = "shared-key";
const about = "toolrack shared key";

/**
 * A key that all servers of one store have: what one of them signed, another one can check. It is made by whoever comes first, and
 * lies in the store under the master key.
 */
export async function openSharedKey(
  store: BreadcrumbStore,
  keys: KeyProvider,
  options: { /** False: one that does not open is the other servers', and stays. @default true */ readonly mayReplace?: boolean } = {},
): Promise<Uint8Array> {
  const known = await store.get(id);
  if (known !== undefined) {
    const { keyId, wrapped } = known.context as { readonly keyId: string; readonly wrapped: string };
    const key = await keys.unwrap(keyId, wrapped, about);
    if (key !== undefined) return key;
    if (options.mayReplace === false) return randomBytes(32);
  }
  const made = randomBytes(32);
  const written = await store.put({
    id,
    schema_name: "toolrack.shared-key.v1",
    title: "A key that all servers share",
    context: { keyId: keys.keyId, wrapped: await keys.wrap(made, about) },
    // One that this master key does not open was made under another, and opens nothing any more.
    ...(known !== undefined && { version: known.version }),
  });
  if (written.ok) return made;
  if (written.code === "not-found") throw new ToolError("CONFIG_INVALID", written.message);
  return openSharedKey(store, keys, options);
}

/** Wraps the key anew with the current master key, where another wraps it; false where there is nothing to do. */
export async function rewrapSharedKey(store: BreadcrumbStore, keys: KeyProvider): Promise<boolean> {
  const known = await store.get(id);
  const { keyId, wrapped } = (known?.context ?? {}) as { readonly keyId?: string; readonly wrapped?: string };
  if (known === undefined || keyId === undefined || wrapped === undefined || keyId === keys.keyId) return false;
  const key = await keys.unwrap(keyId, wrapped, about);
  if (key === undefined) return false;
  const { version, schema_name, title } = known;
  const context = { keyId: keys.keyId, wrapped: await keys.wrap(key, about) };
  const written = await store.put({ id, schema_name, version, context, ...(title !== undefined && { title }) });
  return written.ok || rewrapSharedKey(store, keys);
}
