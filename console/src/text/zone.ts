let chosen = "";

/** Takes the time zone that somebody wants times in; what the browser does not know is its own. */
export function chooseZone(zone: string): void {
  chosen = Intl.supportedValuesOf("timeZone").includes(zone) || zone === "UTC" ? zone : "";
}

/** The zone of this browser. */
export function browserZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** The zone that times are shown in. */
export function currentZone(): string {
  return chosen || browserZone();
}
