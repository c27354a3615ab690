import type { CallContext } from "../tool/context.ts";

/** The context with some members changed. Each is named, since a context may keep its own in places that a copy cannot reach. */
export function changeContext(context: CallContext, change: Partial<CallContext>): CallContext {
  return {
    callId: context.callId,
    caller: context.caller,
    get signal() {
      return context.signal;
    },
    services: context.services,
    config: context.config,
    log: context.log,
    secret: (name) => context.secret(name),
    call: (tool, input) => context.call(tool, input),
    ask: (request) => context.ask(request),
    progress: (update) => context.progress(update),
    ...change,
  };
}
