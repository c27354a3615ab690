import { runRounds } from "../lib/run-rounds.mjs";

export const title = "Runs of agents whose server is killed: 100 rounds on SQLite, 100 on PostgreSQL";

/** Takes as long as it takes: runs only when it is named. */
export const onlyByName = true;

/** Each round kills a server (SIGKILL) at one step of a run; two others want to go on. No call may be without an answer, none made twice that must not be. */
export async function run() {
  const { rounds, named } = await runRounds("packages/server/test/rack/agents/killed.test.ts");
  const kinds = [...new Set(rounds.map(({ kind, step, tool }) => `${kind} ${step} ${tool}`))].toSorted();
  const rows = kinds.map((one) => {
    const [store, step, tool] = one.split(" ");
    const own = rounds.filter((round) => round.kind === store && round.step === step && round.tool === tool);
    const count = (test) => String(own.filter(test).length);
    const twice = own.filter(({ effects }) => effects > 1).length;
    const isWhole = own.every(({ whole }) => whole) && (tool === "set" || twice === 0);
    const cells = [store, words[step], mayRepeat[tool], String(own.length), count(({ whole }) => whole), count(({ unknown }) => unknown)];
    return [...cells, String(twice), isWhole ? "ok" : "over"];
  });
  return [
    {
      caption: `Killed at each step: ${rounds.length} rounds`,
      columns: ["store", "killed when", "the tool", "rounds", "every call answered", "told OUTCOME_UNKNOWN", "made twice", "verdict"],
      rows: [...rows, ...named.map((one) => ["", one, "", "", "", "", "", "over"])],
    },
  ];
}

const words = {
  asked: "the input was on record",
  replied: "the model's reply was on record",
  running: "the tool ran",
  did: "the tool had done its work",
  answered: "the result was on record",
  said: "the last reply was on record",
  begun: "any time after the run had begun",
};

const mayRepeat = { pay: "must not be called twice", set: "may be called again" };
