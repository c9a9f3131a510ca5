// The customer account itself: it can be removed, with everything that is in it.
export const customerHandlers = {};
