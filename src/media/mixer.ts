// A conference's sound: each party hears the sum of all others, as loud as a sample can be and no louder. Pure; knows no port.

/** What each hears of what all said in the same moment: undefined said nothing. Frames have the same length. */
export function mixMinusOwn(said: ReadonlyArray<Int16Array | undefined>, length: number): Int16Array[] {
  const sum = new Int32Array(length);
  for (const frame of said) if (frame !== undefined) addTo(sum, frame);
  return said.map((own) => saturated(sum, own));
}

export function mixAll(said: ReadonlyArray<Int16Array | undefined>, length: number): Int16Array {
  const sum = new Int32Array(length);
  for (const frame of said) if (frame !== undefined) addTo(sum, frame);
  return saturated(sum, undefined);
}

function addTo(sum: Int32Array, frame: Int16Array): void {
  const length = Math.min(sum.length, frame.length);
  for (let at = 0; at < length; at += 1) sum[at] = (sum[at] ?? 0) + (frame[at] ?? 0);
}

function saturated(sum: Int32Array, without: Int16Array | undefined): Int16Array {
  const frame = new Int16Array(sum.length);
  for (let at = 0; at < frame.length; at += 1) {
    const value = (sum[at] ?? 0) - (without?.[at] ?? 0);
    frame[at] = value > 32_767 ? 32_767 : value < -32_768 ? -32_768 : value;
  }
  return frame;
}
