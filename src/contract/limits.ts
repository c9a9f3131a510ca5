// Every documented limit of the API. Knows nothing of how one is kept.

/** Largest request body, bytes. Not stated in the specification: CHOICE-BODY-LIMIT. */
export const bodyLimitBytes = 1_048_576;

/** Largest `limit` of a page (Limits). A larger one is clamped: CHOICE-LIMIT-ABOVE. */
export const pageLimitMax = 5000;

/** `limit` when none is given: CHOICE-LIMIT-DEFAULT. */
export const pageLimitDefault = 100;

/** The number of the first page: CHOICE-PAGE-ORIGIN. */
export const firstPage = 1;

/** Most elements of a bulk body: CHOICE-BULK-LIMIT. */
export const bulkLimit = 5000;

/** Most ids in an `{ids}` path: CHOICE-BULK-LIMIT. */
export const pathIdsLimit = 5000;

/** Most conditions in one filter: CHOICE-FILTER-LIMITS. */
export const filterConditionsMax = 32;

/** Longest value of a filter condition and longest `filter` text, characters: CHOICE-FILTER-LIMITS. */
export const filterValueLength = 1024;
export const filterTextLength = 65_536;

/** A user token dies after this much inactivity (Limits). */
export const tokenInactivityMs = 15 * 60_000;

/** How often a client is told to call `GET /ping` (Limits). */
export const keepAliveMs = 5 * 60_000;

/** A login nonce, its code, and a password-reset token live this long: CHOICE-NONCE, CHOICE-RESET. */
export const nonceLifeMs = 10 * 60_000;
export const resetTokenLifeMs = 60 * 60_000;

/** Wrong codes that one nonce survives: CHOICE-NONCE. */
export const nonceAttemptsMax = 5;

/** How long the exchange waits for a phone's answer to a REST state change: CHOICE-CALL-STATE. */
export const phoneAnswerMs = 4000;

/** How long a webhook receiver has to answer, real time: CHOICE-WEBHOOK-TIMEOUT. */
export const webhookAnswerMs = 5000;

/** Waits between the attempts of one delivery: CHOICE-WEBHOOK-RETRY. One attempt more than there are waits. */
export const webhookRetryMs: readonly number[] = [5000, 30_000, 120_000, 600_000, 1_800_000, 3_600_000];

/** Deliveries of one webhook that may be waiting at once, each of some 1.4 KB in memory: CHOICE-WEBHOOK-BACKLOG. */
export const webhookPendingMax = 100_000;

/** Upload types of voicemail announcements (Limits). */
export const uploadTypes = ['MP3', 'MP4', 'WAV', 'AAC'] as const;
