import { randomUUID } from 'node:crypto';

export interface Poison {
  readonly value: string | null;
  readonly headers: Readonly<Record<string, string>>;
  /** Whether the record carries a MAC of the service, as one that a relay of another release publishes. */
  readonly isSigned?: true;
  /** The reason in its dead letter. */
  readonly reason: string;
}

const MEGABYTE = 1_000_000;

/** Records that no relay of this release writes, each with a key of its own. `key` is the session that it pretends to be about. */
export const poison = (key: string): Readonly<Record<string, Poison>> => {
  const headers = {
    'content-type': 'application/json',
    ce_specversion: '1.0',
    ce_id: randomUUID(),
    ce_source: '/sessions',
    ce_type: 'session.confirmed',
    ce_subject: key,
    ce_time: '2026-01-01T00:00:00.000Z',
    ce_esrevision: '0',
  };
  const facts = { sessionId: key, clientId: randomUUID(), signatureType: 'SIGNING', status: 'SCANNED', at: 1_767_225_600_000 };
  const value = JSON.stringify(facts);
  return {
    'bad JSON': { headers, value: value.slice(0, -5), reason: 'data is no JSON object' },
    'a forged record': { headers, value, reason: 'the record has no MAC' },
    'an unknown type': { headers: { ...headers, ce_type: 'session.teleported' }, value, isSigned: true, reason: 'unknown type' },
    'a megabyte': { headers, value: JSON.stringify({ ...facts, more: 'x'.repeat(MEGABYTE) }), reason: 'data of more than 65536 bytes' },
    'a status of a future version': {
      headers,
      value: JSON.stringify({ ...facts, version: 2, status: 'SUSPENDED' }),
      isSigned: true,
      reason: 'data does not have the shape of session.confirmed',
    },
    'CloudEvents of a future version': { headers: { ...headers, ce_specversion: '2.0' }, value, reason: 'not CloudEvents 1.0' },
    'no attributes': { headers: {}, value, reason: 'no attribute specversion' },
    'no data': { headers, value: null, reason: 'no data' },
  };
};
