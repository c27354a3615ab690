let loading: Promise<unknown> | undefined;

/**
 * Loads the parts of a call that a registry loads when they are first needed. A fake clock waits for them before it moves: otherwise the time of
 * a call's first hook, secret or approval would have passed before the call got there.
 */
export function loadLateParts(): Promise<unknown> {
  return (loading ??= Promise.allSettled([
    import("../call/approval.ts"),
    import("../call/check-images.ts"),
    import("../call/config-secrets.ts"),
    import("../call/cut-result.ts"),
    import("../call/deliver-result.ts"),
    import("../call/idempotency.ts"),
    import("../call/keep-trying.ts"),
    import("../call/late-repair.ts"),
    import("../call/save-record.ts"),
    import("../call/wrappers/after-hooks.ts"),
    import("../call/wrappers/before-hooks.ts"),
    import("../call/wrappers/limits/call-budget.ts"),
    import("../call/wrappers/limits/loop-detection.ts"),
    import("../call/wrappers/limits/rate-limit.ts"),
    import("../call/wrappers/redact.ts"),
    import("../call/wrappers/workspace-guard.ts"),
    import("../registry/invoke-once.ts"),
    import("../tool/to-plain-data.ts"),
    import("../tool/unusual-return.ts"),
  ]));
}
