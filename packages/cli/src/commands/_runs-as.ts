import { CommandError } from "../errors.ts";

/** What the owner makes runs as the agent "owner", which most configurations do not list: then the other way out is told, too. */
export function orNameAgent<Answer>(agent: unknown, made: Promise<Answer>): Promise<Answer> {
  return made.catch((error: unknown) => {
    const isMeant = agent === undefined && error instanceof CommandError && error.message.includes('does not list the agent "owner"');
    throw isMeant
      ? new CommandError(error.reason, `${error.message} Or let an agent that it lists make the calls: --agent <agent>`, error.problem)
      : error;
  });
}
