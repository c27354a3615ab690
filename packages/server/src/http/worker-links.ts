import type { IncomingMessage, ServerResponse } from "node:http";
import type { WorkerHub } from "../rack/workers/worker-hub.ts";
import { Problem } from "./reply/problem.ts";
import { problemReply, securityHeaders, toProblem } from "./reply/respond.ts";
import type { RequestServices } from "./request/services.ts";
import { identify } from "./sign-in/identify.ts";
import type { Identity } from "./sign-in/identity.ts";
import type { HttpRequest, Reply } from "./transport/exchange.ts";

/** Where workers connect by WebSocket, behind the same sign-in and limits as the API. */
export const workerLinkPath = "/api/v1/workers/link";

export function answerWorkerLink(links: WorkerHub, services: RequestServices): (request: HttpRequest) => Promise<Reply> {
  const route = `GET ${workerLinkPath}`;

  async function admit(request: HttpRequest): Promise<Identity> {
    const identity = await identify({ needs: "anyone" }, services, request);
    if (identity.via === "nothing")
      throw new Problem(
        401,
        "SIGN_IN_REQUIRED",
        "A worker signs in with an API key, also on this machine. Create one with: toolrack keys create <name>",
      );
    if (!links.isUsed())
      throw new Problem(
        404,
        "NOT_FOUND",
        'No pool of this server takes workers by WebSocket. Set sources.<id>.workers.connect to "server".',
      );
    if (request.header("upgrade")?.toLowerCase() !== "websocket")
      throw new Problem(426, "UPGRADE_REQUIRED", "Workers connect here by WebSocket: toolrack worker --connect <this server>.", {
        headers: { upgrade: "websocket", connection: "upgrade" },
      });
    return identity;
  }

  return async (request) => {
    const startedAt = performance.now();
    let identity: Identity | undefined;
    const note = (status: number, code?: string): void => {
      const { agent, principal } = identity ?? {};
      const seconds = (performance.now() - startedAt) / 1_000;
      services.note({ route, status, seconds, origin: { requestId: request.id }, code, agent, principal });
    };
    const refuse = (error: unknown): Reply => {
      const problem = toProblem(error);
      note(problem.status, problem.code);
      return problemReply(problem);
    };
    try {
      identity = await admit(request);
      const { credential, principal: by } = identity;
      return {
        headers: securityHeaders,
        handler: {
          node(incoming, outgoing) {
            const hub = links.hub()!;
            const fault = hub.faultOf(incoming, by);
            if (fault !== undefined) return write(outgoing, new Problem(400, "REQUEST_INVALID", fault), note);
            note(101);
            hub.take(incoming, release(incoming, outgoing), { by, signal: credential?.signal });
          },
          fetch: async () => new Response(null, { status: 501 }),
        },
      };
    } catch (error) {
      return refuse(error);
    }
  };
}

/** The connection, which no longer belongs to the answer. */
function release(incoming: IncomingMessage, outgoing: ServerResponse): IncomingMessage["socket"] {
  const { socket } = incoming;
  outgoing.detachSocket(socket);
  outgoing.emit("close");
  socket.setTimeout(0);
  socket.setNoDelay(true);
  return socket;
}

function write(outgoing: ServerResponse, problem: Problem, note: (status: number, code: string) => void): void {
  const { status, headers, body } = problemReply(problem);
  note(status, problem.code);
  outgoing.writeHead(status, headers).end(body as string);
}
