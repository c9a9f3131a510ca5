// Port numbers for the SDP of phones that open no port: their sound is not carried, only described.

/** In every SDP of a simulated phone. */
export const VIRTUAL_ADDRESS = '127.0.0.1';
/** The range, even numbers only: RTP has the even port, RTCP the odd one after it (RFC 3550, 11). */
export const FIRST_PORT = 40_000;
export const LAST_PORT = 49_998;

/** Hands the range out in turn, beginning again at its end. */
export class VirtualPorts {
  #next = FIRST_PORT;

  next(): number {
    const port = this.#next;
    this.#next = port >= LAST_PORT ? FIRST_PORT : port + 2;
    return port;
  }
}
