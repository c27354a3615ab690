import type { Page } from "playwright-core";

/** Shows a page of the console as a click on a link does, without loading everything again. What was shown before, and its state, is gone. */
export async function showPage(page: Page, path: string): Promise<void> {
  const goTo = (next: string): Promise<void> => page.evaluate((to) => history.pushState(null, "", to), next);
  // A page that does not exist, so that no element of the last one is taken for one of the next.
  await goTo("/nothing-has-this-path");
  await page.getByText("Page not found").waitFor();
  await goTo(path);
}
