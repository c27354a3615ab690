/** Some systems call their language "en-US@posix", which is no language tag: the plots, which ask for it when they load, would fail. */
export function mendLanguage(): void {
  try {
    new Intl.NumberFormat(navigator.language);
  } catch {
    Object.defineProperty(navigator, "language", { value: "en-US", configurable: true });
  }
}
