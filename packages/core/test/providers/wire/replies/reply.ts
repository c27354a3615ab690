import type { ProviderTarget } from "../../../../src/providers/providers.ts";

/** One reply with two parallel calls, weather({ city: "Berlin" }) and files_read({ path: "a" }), as a vendor writes it. */
export interface ReplyFixture {
  readonly target: ProviderTarget;
  /** The package and version whose typings the shape follows. */
  readonly typings: string;
  readonly whole: unknown;
  /** The same reply as stream events or chunks. */
  readonly streamed?: readonly unknown[];
  /** The ids of the two calls; absent where the vendor gives none. */
  readonly ids?: readonly [string, string];
}
