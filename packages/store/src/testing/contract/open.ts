import type { StoreOptions } from "../../store/create-store.ts";
import type { BreadcrumbStore } from "../../store/store.ts";

/** Opens an empty store, which is closed after the check. */
export type OpenStore = (options?: StoreOptions) => Promise<BreadcrumbStore>;

/** Opens two stores on one new database, as two processes would. */
export type OpenTwo = () => Promise<readonly [BreadcrumbStore, BreadcrumbStore]>;
