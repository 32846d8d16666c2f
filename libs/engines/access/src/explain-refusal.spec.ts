import { describe, expect, it } from '@jest/globals';

import { explainRefusal } from './explain-refusal.js';
import { UnreadableFile } from './mounted-file.js';

const coded = (code: string | number, message = '', more: object = {}): Error => Object.assign(new Error(message), { code, ...more });

describe('the explanation of a refusal', () => {
  it.each([
    ['KAFKA', coded('SELF_SIGNED_CERT_IN_CHAIN'), "the engine's certificate is not of a trusted CA: set KAFKA_CA_FILE to its CA"],
    ['KAFKA', new Error('Connection error: certificate has expired'), "the engine's certificate has expired"],
    ['POSTGRES', coded('ERR_TLS_CERT_ALTNAME_INVALID'), "the engine's certificate is for another name than the one in POSTGRES_URL"],
    ['POSTGRES', new Error('The server does not support SSL connections'), 'the engine does not speak TLS at the address in POSTGRES_URL'],
    ['REDIS', coded('EPROTO', 'SSL routines:ssl3_get_record:wrong version number'), 'the engine does not speak TLS at the address in REDIS_URL'],
    ['REDIS', new Error('NOPERM this user has no permissions'), 'the user does not have the rights that this service needs'],
    ['KAFKA', new Error('alert number 45'), 'the engine says that the certificate in KAFKA_CERT_FILE has expired'],
    ['ESDB', new UnreadableFile('ESDB_CA_FILE', 'ENOENT'), 'ESDB_CA_FILE names a file that this user cannot read (ENOENT)'],
  ] as const)('names for %s the setting to look at (%s)', (engine, error, expected) => {
    expect(explainRefusal(error, engine)).toBe(expected);
  });

  it('looks into the causes, under all names that drivers give them', () => {
    const cause = coded('CERT_HAS_EXPIRED');
    for (const wrapped of [
      new Error('retries', { cause }),
      coded(1, 'x', { originalError: cause }),
      coded(1, 'x', { errors: [new Error('a'), cause] }),
    ])
      expect(explainRefusal(wrapped, 'KAFKA')).toBe("the engine's certificate has expired");
  });

  it('says nothing about a lost connection, and never quotes a message', () => {
    expect(explainRefusal(coded('ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:1'), 'REDIS')).toBeUndefined();
    expect(explainRefusal('text', 'REDIS')).toBeUndefined();
    expect(explainRefusal(new Error('WRONGPASS hunter2'), 'REDIS')).not.toContain('hunter2');
  });
});
