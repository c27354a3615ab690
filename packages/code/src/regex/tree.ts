import type { CharacterSet } from "./sets.ts";

export type RegExpNode =
  | { readonly type: "char"; readonly code: number }
  | { readonly type: "set"; readonly set: CharacterSet }
  | { readonly type: "sequence"; readonly items: readonly RegExpNode[] }
  | { readonly type: "choice"; readonly options: readonly RegExpNode[] }
  | { readonly type: "group"; readonly index: number; readonly body: RegExpNode }
  | { readonly type: "back"; readonly index: number }
  | { readonly type: "backNamed"; readonly name: string }
  | { readonly type: "start" | "end" | "word" | "notWord" }
  | { readonly type: "look"; readonly behind: boolean; readonly negated: boolean; readonly body: RegExpNode }
  | {
      readonly type: "repeat";
      readonly min: number;
      readonly max: number;
      readonly greedy: boolean;
      readonly body: RegExpNode;
      /** Groups inside: they begin anew with each round. */
      readonly firstGroup: number;
      readonly lastGroup: number;
    };
