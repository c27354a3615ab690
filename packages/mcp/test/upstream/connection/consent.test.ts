import { describe, expect, it } from "vitest";
import { createSignIn, noSignIn } from "../../../src/upstream/connection/sign-in.ts";

const unauthorized = (): Error => Object.assign(new Error("sign in"), { name: "UnauthorizedError" });

function signingIn(answers: readonly unknown[]) {
  const steps: string[] = [];
  const left = [...answers];
  const consent = async () => (steps.push("consent"), new URLSearchParams({ code: "c0de" }));
  const signIn = createSignIn({ kind: "provider", provider: {}, consent } as never, async (returned) => {
    steps.push(`finish ${returned.get("code")}`);
  });
  const run = async () => {
    steps.push("run");
    const answer = left.shift();
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return { steps, answer: signIn(run) };
}

describe("a server that wants a person's consent", () => {
  it("is asked once where nothing has to be consented to", async () => {
    const { steps, answer } = signingIn(["tools"]);
    expect(await answer).toBe("tools");
    expect(steps).toEqual(["run"]);
  });

  it("gets what the person brought back, and the request once more", async () => {
    const { steps, answer } = signingIn([unauthorized(), "tools"]);
    expect(await answer).toBe("tools");
    expect(steps).toEqual(["run", "consent", "finish c0de", "run"]);
  });

  it("is not signed in to for another failure, nor twice", async () => {
    const other = signingIn([new Error("broken")]);
    await expect(other.answer).rejects.toThrow("broken");
    expect(other.steps).toEqual(["run"]);
    const again = signingIn([unauthorized(), unauthorized(), "tools"]);
    await expect(again.answer).rejects.toThrow("sign in");
    expect(again.steps).toEqual(["run", "consent", "finish c0de", "run"]);
  });

  it.each([[undefined], [{ kind: "client-credentials" }], [{ kind: "provider", provider: {} }]])(
    "is never waited for where nobody can consent: %j",
    (auth) => expect(createSignIn(auth as never, async () => {})).toBe(noSignIn),
  );
});
