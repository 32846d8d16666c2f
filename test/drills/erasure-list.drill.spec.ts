import { appendFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { eventually } from '#testkit/kernel/eventually';

import { NO_GIVEN_ENGINES, type Person, type Phone, RelyingParty, StandaloneService, Staff } from '../support/index.js';
import { metric } from './support/metric.js';

let service: StandaloneService;
let client: RelyingParty;
let person: Person;
let phone: Phone;

beforeAll(async () => {
  service = await StandaloneService.start('erasure-list', NO_GIVEN_ENGINES);
  client = await RelyingParty.register(service);
  const staff = new Staff(service);
  person = await staff.registerPerson();
  phone = await staff.phoneOf(person);
});
afterAll(() => service.stop());

const faults = async (): Promise<number> => (await metric({ url: service.baseUrls[0]! }, 'erasure_list_faults_total')) ?? 0;

describe('a list of erasures into which another party has written', () => {
  it('erases nobody, and raises the alarm', async () => {
    expect(await faults()).toBe(0);
    appendFileSync(join(service.dataDirectory, 'erasures.jsonl'), `${JSON.stringify({ identityId: person.identityId, erasedAt: 1 })}\n`);
    // The registry reads the list every 30 seconds.
    await eventually(async () => (await faults()) === 1, { what: 'the line is found', within: 90_000 });
    await client.completed(phone);
    await service.stop();
    await service.restart();
    await eventually(async () => (await faults()) === 1, { what: 'the line is found again', within: 60_000 });
    await client.completed(phone);
  });
});
