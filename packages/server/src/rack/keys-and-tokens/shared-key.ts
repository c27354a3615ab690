import { randomBytes } from "node:crypto";
import { ToolError } from "@toolrack/core";
import type { BreadcrumbStore, KeyProvider } from "@toolrack/store";

const id = "shared-key";
const about = "toolrack shared key";

/**
 * A key that all servers of a store share: one can verify what another signed. The first server creates it; it is stored encrypted with the
 * master key.
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
    // A key that this master key cannot open was created under another one, and is useless now.
    ...(known !== undefined && { version: known.version }),
  });
  if (written.ok) return made;
  if (written.code === "not-found") throw new ToolError("CONFIG_INVALID", written.message);
  return openSharedKey(store, keys, options);
}

/** Rewraps the key with the current master key; false if that is done already. */
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
