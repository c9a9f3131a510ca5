// The SIP Call-ID of a call of the past: no dialog is left that could be asked, so it names the call itself. Knows no record.

/** Of the leg whose media session the call's records tell of. */
export function pastDialog(liveId: number, domain: string): string {
  return `past-${liveId}@${domain}`;
}

/** The live id in such a Call-ID; undefined for any other. */
export function callOfPast(dialog: string): number | undefined {
  const liveId = /^past-(\d{1,15})@/.exec(dialog)?.[1];
  return liveId === undefined ? undefined : Number(liveId);
}
