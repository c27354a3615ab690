import type { ApprovalRequest } from "@toolrack/core";
import type { ProgramQuestions } from "../approvals/approvals.ts";
import { approvalSchema } from "../approvals/approvals.ts";
import { hasEnded } from "../cluster/server-name.ts";
import { markerIdOf, markerSchema } from "./marker-id.ts";
import type { ProgramRunner, ProgramsOptions } from "./program-runner.ts";
import type { Programs } from "./programs.ts";

/** Programs, and what the rest of the server has to tell them. */
export interface ProgramManager extends Programs {
  /** What questions to people have to do with programs. */
  readonly questions: ProgramQuestions;
  /** Whether a call was made by a program. */
  isWithin(request: Pick<ApprovalRequest, "parentCallIds">): boolean;
  /** From now on this server goes on with programs of others: its tools are there. */
  begin(): void;
  /** The servers that have stored programs. */
  servers(): readonly string[];
  /** Goes on with the programs of a server that ended, as far as nothing waits for a person. Returns how many. */
  abandon(server: string): Promise<number>;
}

/** Nothing is loaded before the first program: until then there is nothing to tell it. */
export function createPrograms(options: ProgramsOptions): ProgramManager {
  const { feed } = options;
  const markers = feed.of(markerSchema);
  let runner: ProgramRunner | undefined;
  let loading: Promise<ProgramRunner> | undefined;
  let hasBegun = false;
  const load = (): Promise<ProgramRunner> =>
    (loading ??= import("./program-runner.ts").then(({ createProgramRunner }) => (runner = createProgramRunner(options, markers))));

  // A person answered: whichever server is there goes on.
  feed.of(approvalSchema).subscribe((_id, record) => {
    const program = record?.context["program"] as { readonly id?: unknown } | undefined;
    if (!hasBegun || typeof program?.id !== "string" || record?.context["state"] !== "decided") return;
    const { id } = program;
    if (hasEnded(String(record.context["server"]))) void load().then((loaded) => loaded.take(id as string));
  });

  return {
    run: async (request, context) => (await load()).run(request, context),
    list: async () => (await load()).list(),
    show: async (id) => (await load()).show(id),
    cancel: async (id, by) => (await load()).cancel(id, by),
    questions: {
      beside: async (request, approval) => runner?.beside(request, approval),
      carried: (callId) => runner?.carried(callId),
    },
    isWithin: (request) => runner?.isWithin(request) ?? false,
    begin: () => void (hasBegun = true),
    servers: () => [...markers.values()].map(({ context }) => String(context["server"])),
    async abandon(server) {
      if (!hasBegun || markers.get(markerIdOf(server)) === undefined) return 0;
      return (await load()).abandon(server);
    },
  };
}
