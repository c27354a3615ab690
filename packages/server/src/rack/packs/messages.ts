import { type BreadcrumbStore, createAnswers } from "@toolrack/store";
import { createMessageTools, type SendLog } from "@toolrack/tools";
import { openPackWorkspace } from "./_workspace.ts";
import type { OpenPack } from "./pack.ts";

export const open: OpenPack = (config, context) => {
  const { processes: _, ...workspace } = openPackWorkspace(config, context);
  return createMessageTools({ ...config, ...workspace, operations: { log: createStoredSendLog(context.store) } });
};

/** What was begun to be sent, in the store: it is known after a crash, and on every server. */
function createStoredSendLog(store: BreadcrumbStore): SendLog {
  const answers = createAnswers(store, { keepMs: 7 * 86_400_000 });
  return {
    async once({ key, caller, request }, make) {
      const answered = await answers.once({ key: `message ${key}`, caller, request, make: () => make(), waitMs: 0 });
      if (answered.outcome === "answered") return { outcome: "made", value: answered.value, isFirst: answered.isFirst };
      return { outcome: answered.outcome === "different" ? "different" : "unknown" };
    },
  };
}
