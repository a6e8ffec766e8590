/** Does one after the other, so that what comes after a refusal stays; what is shown is asked anew either way. */
export async function inTurn<T>(
  things: readonly T[],
  act: (thing: T) => Promise<unknown>,
  refresh: () => Promise<unknown>,
): Promise<void> {
  try {
    for (const thing of things) await act(thing);
  } finally {
    await refresh();
  }
}
