import type { Page } from "@playwright/test";

export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** When the page first showed something, in ms after it was asked for. */
export async function firstPaint(page: Page): Promise<number> {
  return await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        new PerformanceObserver((list) => {
          const found = list.getEntriesByName("first-contentful-paint")[0];
          if (found) resolve(found.startTime);
        }).observe({ type: "paint", buffered: true });
      }),
  );
}

/** When the largest part of the page so far was painted, in ms after it was asked for. */
export async function largestPaint(page: Page): Promise<number> {
  return await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        new PerformanceObserver((list) => {
          resolve(list.getEntries().at(-1)?.startTime ?? 0);
        }).observe({ type: "largest-contentful-paint", buffered: true });
      }),
  );
}

/** Counts the long tasks of a page from its beginning on; `longest` reads them. */
export async function watchTasks(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const tasks: number[] = [];
    Object.assign(window, { longTasks: tasks });
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) tasks.push(duration);
    }).observe({ type: "longtask", buffered: true });
  });
}

/** The longest task in ms since the last call; tasks under 50 ms are none. */
export async function longest(page: Page): Promise<number> {
  return await page.evaluate(() => {
    const found: unknown = Reflect.get(window, "longTasks");
    return Array.isArray(found) ? Math.max(0, ...found.splice(0)) : 0;
  });
}

/** Times between frames while something moves, in ms. */
export async function frames(page: Page, move: () => Promise<void>): Promise<number[]> {
  await page.evaluate(() => {
    const times: number[] = [];
    Object.assign(window, { frameTimes: times, areFramesOver: false });
    let last = performance.now();
    const next = (now: number) => {
      times.push(now - last);
      last = now;
      if (!Reflect.get(window, "areFramesOver")) requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
  });
  await move();
  return await page.evaluate(() => {
    Object.assign(window, { areFramesOver: true });
    const found: unknown = Reflect.get(window, "frameTimes");
    return Array.isArray(found) ? found.slice(2).map(Number) : [];
  });
}

/** Bytes of the heap of the page after collection. */
export async function heap(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  await session.detach();
  return usedSize;
}

/** Nodes of all documents of the page after collection, detached ones that something holds too. */
export async function elements(page: Page): Promise<number> {
  await heap(page);
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send("Memory.getDOMCounters");
  await session.detach();
  return nodes;
}

/** Counts what the main thread of the page works from now on; what is returned tells it in seconds. */
export async function watchProcessor(page: Page): Promise<() => Promise<number>> {
  // The count of a session begins with it: two of them have nothing to compare.
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable");
  return async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    return metrics.find(({ name }) => name === "ThreadTime")?.value ?? Number.NaN;
  };
}
