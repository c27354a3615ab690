// Appends to a session, and sends to and takes from its inbox, until it is killed: see killed.test.ts.
import { createSessionStore } from "../../src/sessions/create-session-store.ts";
import { createPostgresStore } from "../../src/store/postgres.ts";
import { createSqliteStore } from "../../src/store/sqlite.ts";
import { wholeMessage } from "./whole-message.ts";

const [kind = "", place = "", session = "", round = ""] = process.argv.slice(2);
const say = (line: unknown): void => void process.stdout.write(`${JSON.stringify(line)}\n`);

const store = kind === "SQLite" ? await createSqliteStore({ path: place }) : await createPostgresStore({ connectionString: place });
const sessions = createSessionStore(store);
let { last } = (await sessions.get(session))!;
for (let turn = 0; ; turn++) {
  const messages = Array.from({ length: 1 + (turn % 3) }, (_, index) => wholeMessage(`${round}-${turn}-${index}`, 5_000 * (turn % 4)));
  last = await sessions.append(session, messages, { after: last, patch: { status: "running" } });
  say({ last });
  const content = `${round}-${turn}`;
  await sessions.send(session, { content, from: { kind: "person" } });
  say({ sent: content });
  if (turn % 2 === 1) ({ last } = await sessions.takeInbox(session, { after: last }));
}
