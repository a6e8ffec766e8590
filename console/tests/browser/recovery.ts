import type { Page } from "@playwright/test";

/** What the browser keeps of editors whose changes are not saved. */
export async function keptIn(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const request = indexedDB.open("coterie-recovery", 1);
    request.onupgradeneeded = () => request.result.createObjectStore("changes");
    await new Promise((resolve) => {
      request.onsuccess = resolve;
    });
    const store = request.result.transaction("changes").objectStore("changes");
    const [keys, values] = [store.getAllKeys(), store.getAll()];
    await new Promise((resolve) => {
      values.onsuccess = resolve;
    });
    request.result.close();
    return values.result.length > 0 ? JSON.stringify([keys.result, values.result]) : "";
  });
}

/** Ends a page as a crash does: none of its handlers runs, and what it would send is not sent. */
export async function crash(page: Page): Promise<void> {
  const crashed = page.waitForEvent("crash");
  const devtools = await page.context().newCDPSession(page);
  // It has no answer: whoever would give it is gone.
  devtools.send("Page.crash").catch(() => undefined);
  await crashed;
  await page.close();
}
