import type { Route, RouteAnswer, RouteRequest } from "../../src/http/route.ts";
import { type Identity, toIdentity } from "../../src/http/sign-in/identity.ts";

export const identityOf = (agent: string, ...roles: readonly string[]): Identity =>
  toIdentity({ agent, roles, via: "key", storeOwner: "acme" });

/** A part of a rack whose methods answer what is said here; `asked` has every question, with all that it was given. */
export function partOf(answers: Readonly<Record<string, unknown>>): { readonly part: any; readonly asked: unknown[][] } {
  const asked: unknown[][] = [];
  const part = Object.fromEntries(
    Object.entries(answers).map(([name, answer]) => [
      name,
      (...given: unknown[]) => {
        asked.push([name, ...given]);
        return typeof answer === "function" ? (answer as (...given: unknown[]) => unknown)(...given) : answer;
      },
    ]),
  );
  return { part, asked };
}

export interface RouteInput {
  readonly rack?: object;
  readonly server?: object;
  readonly identity?: Identity;
  readonly params?: object;
  readonly query?: object;
  readonly body?: object;
  readonly signal?: AbortSignal;
}

/** Runs one operation by itself, without a server around it. */
export async function runRoute(routes: readonly Route[], id: string, input: RouteInput): Promise<RouteAnswer> {
  const route = routes.find((one) => one.id === id);
  if (route === undefined) throw new Error(`There is no operation "${id}".`);
  const { signal = new AbortController().signal } = input;
  const request = {
    identity: identityOf("ada"),
    params: {},
    query: {},
    body: {},
    header: () => undefined,
    wantsEvents: false,
    ...input,
    signal,
  };
  return await route.run(request as unknown as RouteRequest);
}
