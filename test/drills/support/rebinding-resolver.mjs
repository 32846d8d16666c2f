/**
 * Loaded into the service before anything else (`--import`): stands in for the system's resolver, so that a drill chooses the addresses
 * of names. `DRILL_NAMES`: JSON, for each name the answers of one look-up after the other; the last one is repeated.
 */
import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';

const names = new Map(Object.entries(JSON.parse(process.env.DRILL_NAMES ?? '{}')));
const lookup = dns.lookup;

dns.lookup = (hostname, options, callback) => {
  const answers = names.get(hostname);
  if (!answers) return lookup(hostname, options, callback);
  const addresses = (answers.length > 1 ? answers.shift() : answers[0]).map((address) => ({ address, family: 4 }));
  process.nextTick(() => (options.all ? callback(null, addresses) : callback(null, addresses[0].address, 4)));
};
syncBuiltinESMExports();
