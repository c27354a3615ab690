import type { RackConfig } from "./config.ts";

/** Parts of the file that a running server cannot take over: what it listens on, where it stores, what stands around every call. */
const fixedKeys: readonly { readonly key: string; read(config: RackConfig): unknown }[] = [
  ...(["server", "signIn", "store", "workspace", "limits", "approvals", "redaction", "audit"] as const).map((key) => ({
    key,
    read: (config: RackConfig) => config[key],
  })),
  { key: "tools.packs", read: ({ tools }) => tools?.packs },
  { key: "tools.modules", read: ({ tools }) => tools?.modules },
];

/** Which of them differ. */
export function changedFixedKeys(before: RackConfig, after: RackConfig): readonly string[] {
  return fixedKeys.filter(({ read }) => JSON.stringify(read(before)) !== JSON.stringify(read(after))).map(({ key }) => key);
}
