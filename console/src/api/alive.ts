const ADDRESS = "/livez";
const LONGEST_MS = 5000;

/** Whether the server answers at all, whoever asks. */
export async function isAlive(): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(LONGEST_MS);
    return (await fetch(ADDRESS, { cache: "no-store", signal })).ok;
  } catch {
    return false;
  }
}
