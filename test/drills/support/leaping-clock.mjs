/**
 * Loaded into a service before anything else (`--import`): at SIGUSR2 its monotonic clock leaps by the quarter of an hour in which a process only learns what
 * is usual (docs/runbooks/unusual-scans.md), so that a drill need not wait for it.
 */
const LEAP = 15 * 60_000;
const now = performance.now.bind(performance);
let ahead = 0;

performance.now = () => now() + ahead;
process.on('SIGUSR2', () => (ahead += LEAP));
