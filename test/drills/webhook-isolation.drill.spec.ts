import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { eventually } from '#testkit/kernel/eventually';

import { pause, RelyingParty, StandaloneService, Staff } from '../support/index.js';
import { answers, hangs, resets } from './support/receiver-faults.js';
import { Endpoint } from './support/webhook-endpoint.js';
import { type Behave, takesEverything, WebhookReceiver } from './support/webhook-receiver.js';

/** Each kind of neighbour gets so many turns; the delays are printed only, since the machine does other work as well. */
const ROUNDS = 2;
/** Messages of one turn, to the endpoint that is measured and to its neighbour, and how many in a second. */
const MESSAGES = 200;
const RATE = 40;
/** Attempts that one endpoint may hold at a time, and failures in a row before it is paused for 2, 4, 8 … 30 s (EndpointGate). */
const IN_FLIGHT = 16;
const FAILURES = 10;

const NEIGHBOURS: Readonly<Record<string, Behave>> = {
  'takes everything': takesEverything,
  hangs: hangs,
  'answers 500 to everything': answers(500),
  'breaks every connection': resets,
};

let service: StandaloneService;
let staff: Staff;

beforeAll(async () => {
  service = await StandaloneService.start('webhook-isolation', { SESSION_TTL: '600', LOG_LEVEL: 'info' });
  staff = new Staff(service);
});

afterAll(() => service?.stop());

interface Turn {
  /** Milliseconds from the event to its arrival at the measured endpoint. */
  readonly delays: readonly number[];
  /** Attempts at the neighbour. */
  readonly met: number;
  /** The most that it held at once. */
  readonly held: number;
}

/** One client, two endpoints: both get every event. */
const turn = async (behave: Behave): Promise<Turn> => {
  const client = await RelyingParty.register(service);
  const delays: number[] = [];
  const measured = await WebhookReceiver.open({ arrived: ({ timestamp }) => delays.push(Date.now() - Date.parse(timestamp)) });
  const neighbour = await WebhookReceiver.open({ behave });
  await Endpoint.add(staff, client, { name: 'measured', receiver: measured });
  const bad = await Endpoint.add(staff, client, { name: 'neighbour', receiver: neighbour });
  const begun = performance.now();
  await Promise.all(
    Array.from({ length: MESSAGES }, async (_, index) => {
      await pause(Math.max(0, begun + (1_000 / RATE) * index - performance.now()));
      await client.cancel(await client.login());
    }),
  );
  const complete = behave === takesEverything ? [measured, neighbour] : [measured];
  await eventually(() => complete.every(({ received }) => received.length >= MESSAGES), { what: 'end of the turn', within: 30_000 });
  const ended = { delays, met: neighbour.received.length, held: neighbour.mostAtOnce };
  await bad.change({ enabled: false });
  measured.close();
  neighbour.close();
  return ended;
};

const quantile = (values: readonly number[], part: number): number => values.toSorted((a, b) => a - b)[Math.floor(values.length * part)] ?? 0;

describe('an endpoint and its neighbour', () => {
  it('all messages arrive, and the neighbour never holds more than its share', async () => {
    const turns: Record<string, Turn[]> = Object.fromEntries(Object.keys(NEIGHBOURS).map((name) => [name, []]));
    await turn(takesEverything); // a warm-up
    for (let round = 0; round < ROUNDS; round++) for (const [name, behave] of Object.entries(NEIGHBOURS)) turns[name]!.push(await turn(behave));

    let usual = 0;
    for (const [name, all] of Object.entries(turns)) {
      const middle = (part: number): number =>
        quantile(
          all.map(({ delays }) => quantile(delays, part)),
          0.5,
        );
      usual ||= middle(0.99);
      console.log(
        `neighbour ${name}: p50 ${middle(0.5)} ms, p99 ${middle(0.99)} ms (${(middle(0.99) / usual).toFixed(2)} of the usual); it met ${all.map(({ met }) => met).join(' + ')} attempts, ${Math.max(...all.map(({ held }) => held))} at once`,
      );
      for (const { delays, held, met } of all) {
        expect(delays).toHaveLength(MESSAGES);
        expect(held).toBeLessThanOrEqual(IN_FLIGHT);
        // The attempts under way when the tenth fails, and one after each pause: a turn is too short for many.
        if (behaves(name)) expect(met).toBe(MESSAGES);
        else expect(met).toBeLessThan(FAILURES + 2 * IN_FLIGHT);
      }
    }
  });
});

const behaves = (name: string): boolean => NEIGHBOURS[name] === takesEverything;
