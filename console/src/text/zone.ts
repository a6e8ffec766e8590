let chosen = "";
let own = "";

/** Takes the time zone that somebody wants times in; what the browser does not know is its own. */
export function chooseZone(zone: string): void {
  chosen = Intl.supportedValuesOf("timeZone").includes(zone) || zone === "UTC" ? zone : "";
}

/** The zone of this browser, as it was when it was asked for first: every time in a list asks. */
export function browserZone(): string {
  own ||= Intl.DateTimeFormat().resolvedOptions().timeZone;
  return own;
}

/** The zone that times are shown in. */
export function currentZone(): string {
  return chosen || browserZone();
}
