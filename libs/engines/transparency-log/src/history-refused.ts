/** The store, and what the places outside of it hold, are not one history. The message says how they differ. It does not pass by waiting. */
export class HistoryRefused extends Error {}
