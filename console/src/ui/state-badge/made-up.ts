const MADE_UP = /^\d{10,}$/;

/** Whether publishing made a version up from the clock, which people read as noise. */
export function isMadeUpVersion(version: string): boolean {
  return MADE_UP.test(version);
}
