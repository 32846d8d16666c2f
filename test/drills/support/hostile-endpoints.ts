import { randomInt } from 'node:crypto';

import type { RelyingParty, Staff } from '../../support/index.js';
import { answers, atFirst, hangs, type HugeBody, resets, slowBody, slowLoris } from './receiver-faults.js';
import type { TestAuthority } from './test-authority.js';
import { Endpoint } from './webhook-endpoint.js';
import { type ReceiverOptions, takesEverything, WebhookReceiver } from './webhook-receiver.js';

/** Networks of this run on loopback: receivers are in the one that is allowed; nothing may reach the other. */
const SECOND = randomInt(1, 250);
const THIRD = randomInt(1, 250);
export const ALLOWED = `127.${SECOND}.${THIRD}`;
const FORBIDDEN = `127.${SECOND}.${THIRD + 1}`;
/** A name may be reached at 443 and 8443 only. */
export const PORT = 8443;
export const CANARY = `${FORBIDDEN}.1`;
const NAMED = `${ALLOWED}.9`;

/** Each ping of the proof looks the name up, and finds the receiver. */
const WHILE_PROVING = Array.from({ length: 6 }, () => [NAMED]);

/** The addresses that each name has in turn (`rebinding-resolver.mjs`). */
export const NAMES: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'turns.drill.example': [...WHILE_PROVING, [NAMED], [CANARY]],
  'inside.drill.example': [...WHILE_PROVING, [CANARY]],
  'also-inside.drill.example': [...WHILE_PROVING, [NAMED, CANARY]],
};

interface Parts {
  readonly staff: Staff;
  readonly client: RelyingParty;
  /** It issues the certificates of the receivers. */
  readonly authority: TestAuthority;
  readonly huge: HugeBody;
}

/** Adds an endpoint for each kind of receiver, named after it; the endpoints of {@link NAMES} share a receiver. */
export const addHostileEndpoints = async ({ staff, client, authority, huge }: Parts): Promise<readonly Endpoint[]> => {
  const endpoints: Endpoint[] = [];
  const add = async (name: string, options: ReceiverOptions, terms: { eventTypes?: string[] } = {}): Promise<void> => {
    const receiver = await WebhookReceiver.open({ host: `${ALLOWED}.1`, ...options });
    endpoints.push(await Endpoint.add(staff, client, { name, receiver, ...terms }));
  };
  await add('takes everything', {});
  await add('https', { tls: await authority.issue({ ip: `${ALLOWED}.1` }) });
  await add('expired certificate', { tls: await authority.issue({ ip: `${ALLOWED}.1` }) });
  endpoints.at(-1)!.receiver.renew(await authority.issue({ ip: `${ALLOWED}.1` }, { expired: true }));
  await add('500', { behave: answers(500) });
  await add('500, scans only', { behave: answers(500) }, { eventTypes: ['session.scanned'] });
  await add('hangs at first', { behave: atFirst(hangs, takesEverything) });
  await add('hangs', { behave: hangs });
  await add('slow-loris at first', { behave: atFirst(slowLoris, takesEverything) });
  await add('slow body', { behave: slowBody });
  await add('10 MB body', { behave: huge.behave });
  await add('redirect to metadata', { behave: answers(302, { location: 'http://169.254.169.254/latest/meta-data/' }) });
  await add('redirect inside', { behave: answers(307, { location: `http://${CANARY}:${PORT}/` }) });
  await add('resets', { behave: resets });
  await add('429', { behave: answers(429, { 'retry-after': '3600' }) });
  await add('410', { behave: answers(410) });
  const receiver = await WebhookReceiver.open({
    host: NAMED,
    port: PORT,
    tls: await authority.issue({ dns: 'turns.drill.example' }),
    behave: answers(500, { connection: 'close' }),
  });
  // Each name proves itself under its own certificate. Afterwards the first one alone leads to the receiver.
  for (const name of Object.keys(NAMES)) {
    receiver.renew(await authority.issue({ dns: name }));
    endpoints.push(await Endpoint.add(staff, client, { name, receiver, url: `https://${name}:${PORT}/` }));
  }
  receiver.renew(await authority.issue({ dns: 'turns.drill.example' }));
  return endpoints;
};
