/**
 * `npm run bench` measures the throughput of one process; with a word after `--` it measures something else: `scale` how costs grow, `start` a start over a
 * backlog, `sandbox` that of the packed sandbox, `macs` the share of MACs, `history` what checkpoints cost, `gzip` compressed answers of the event store, `distributed` a login of separate services, `openid` a login by OpenID Connect beside a native one, `compare` logins of other
 * servers, `cores` one core and two, `between` two commits; `flame` draws where the time goes.
 */
const COMMANDS: Readonly<Record<string, () => Promise<unknown>>> = {
  scale: () => import('./scale/main.js'),
  start: () => import('./start/main.js'),
  sandbox: () => import('./sandbox/main.js'),
  macs: () => import('./macs/main.js'),
  history: () => import('./history/main.js'),
  gzip: () => import('./gzip/main.js'),
  openid: () => import('./openid/main.js'),
  distributed: () => import('./distributed/main.js'),
  compare: () => import('./compare/main.js'),
  cores: () => import('./cores/main.js'),
  between: () => import('./between/main.js'),
  flame: () => import('./flame/main.js'),
};
await (COMMANDS[process.argv[2] ?? ''] ?? (() => import('./throughput.js')))();
