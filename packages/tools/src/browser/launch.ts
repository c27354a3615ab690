import { ToolError } from "@toolrack/core";
import { programVariables, variablesOf } from "@toolrack/core/internal/programs";
import type { Browser } from "playwright-core";
import { browserDriverRemedy } from "./driver.ts";
import { findChromium } from "./find-chromium.ts";

export interface LaunchOptions {
  /** The program. @default the Chromium of this machine */
  readonly executable?: string | undefined;
  /** The proxy that every connection takes. */
  readonly proxy: string;
}

/** Starts Chromium without a window. Everything that it fetches takes the proxy. */
export async function launchChromium({ executable = findChromium(), proxy }: LaunchOptions): Promise<Browser> {
  if (executable === undefined) throw new ToolError("TOOL_UNAVAILABLE", "There is no Chromium. Install chromium and put it on the PATH.");
  const { chromium } = await import("playwright-core").catch((error: unknown) => {
    throw new ToolError("TOOL_UNAVAILABLE", `Browsers cannot be driven. ${browserDriverRemedy}`, { cause: error });
  });
  try {
    return await chromium.launch({
      executablePath: executable,
      // As root it cannot start.
      chromiumSandbox: process.getuid?.() !== 0,
      // Loopback would pass by the proxy else.
      proxy: { server: proxy, bypass: "<-loopback>" },
      args: [
        "--webrtc-ip-handling-policy=disable_non_proxied_udp",
        "--disable-quic",
        // Names are resolved by the proxy, which checks where they lead.
        "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
      ],
      env: variablesOf(programVariables),
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
      timeout: 20_000,
    });
  } catch (error) {
    const [fact] = (error as Error).message.split("\n", 1);
    throw new ToolError("TOOL_FAILED", `Chromium could not be started: ${fact}`, { cause: error, retryable: true });
  }
}
