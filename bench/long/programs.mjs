import { runRounds } from "../lib/run-rounds.mjs";

export const title = "Programs that wait while their server is killed: 100 rounds on SQLite, 100 on PostgreSQL";

/** Takes as long as it takes: runs only when it is named. */
export const onlyByName = true;

/** Each round kills a server (SIGKILL) at one stage of a program; another one goes on. Nothing may be lost, and nothing done twice. */
export async function run() {
  const { rounds, named } = await runRounds("packages/server/test/rack/programs/killed.test.ts");
  const rows = ["SQLite", "PostgreSQL"].flatMap((store) => {
    const own = rounds.filter(({ kind }) => kind === store);
    return [...new Set(own.map(({ stage }) => stage))].map((stage) => {
      const all = own.filter((round) => round.stage === stage);
      const count = (test) => String(all.filter(test).length);
      const isWhole = all.every(({ ended, twice }) => ended && !twice);
      return [
        store,
        stage,
        String(all.length),
        count(({ ended }) => ended),
        count(({ unknown }) => unknown),
        count(({ twice }) => twice),
        isWhole ? "ok" : "over",
      ];
    });
  });
  return [
    {
      caption: "Killed at each stage",
      columns: ["store", "killed while", "rounds", "ended", "told OUTCOME_UNKNOWN", "done twice", "verdict"],
      rows: [...rows, ...named.map((one) => ["", one, "", "", "", "", "over"])],
    },
  ];
}
