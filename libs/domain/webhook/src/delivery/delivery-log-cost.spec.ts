import { type AppendResult, type EventStore, ForwardingEventStore, type RecordedEvent } from '#engines/event-store';

import { added, attempted, clock, endpointId, rows, store, useDeliveryLogs } from '#testkit/webhook/delivery-logs';
import { DeliveryLog } from './delivery-log.js';

useDeliveryLogs();

const DELIVERIES = 24;

/** The calls of the processes to the store and to the tables. A query is two statements, and two more that check whether the tables are complete. */
class Costs extends ForwardingEventStore {
  appends = 0;
  reads = 0;
  questions = 0;

  readonly rows = {
    pending: (...parameters: Parameters<typeof rows.pending>) => this.#ask(() => rows.pending(...parameters)),
    find: (...parameters: Parameters<typeof rows.find>) => this.#ask(() => rows.find(...parameters)),
  };

  #ask<Answer>(question: () => Promise<Answer>): Promise<Answer> {
    this.questions += 1;
    return question();
  }

  override append(...parameters: Parameters<EventStore['append']>): Promise<AppendResult> {
    this.appends += 1;
    return super.append(...parameters);
  }

  override read<Event extends RecordedEvent>(...parameters: Parameters<EventStore['read']>): Promise<readonly Event[]> {
    this.reads += 1;
    return super.read(...parameters) as Promise<readonly Event[]>;
  }
}

/** One delivery after another to one endpoint, over so many processes: one adds it, another one makes its attempt. */
const costs = async (replicas: number): Promise<Costs> => {
  const counted = new Costs(store);
  const logs = Array.from({ length: replicas }, () => new DeliveryLog(endpointId, { store: counted, clock, rows: counted.rows }));
  for (let turn = 0; turn < DELIVERIES; turn += 1) {
    const adding = logs[turn % replicas]!;
    const attempting = logs[(turn + Math.ceil(replicas / 2)) % replicas]!;
    await adding.record(added(`d${turn}`));
    if (attempting !== adding) await attempting.refresh(); // the job names a delivery that it does not know
    await attempting.record(attempted(`d${turn}`, 1, 'succeeded'));
  }
  return counted;
};

describe('the cost of a delivery', () => {
  it('is two appends and at most two queries of the tables in one process', async () => {
    const { appends, questions } = await costs(1);
    expect(appends).toBe(2 * DELIVERIES);
    expect(questions).toBeLessThanOrEqual(2 * DELIVERIES);
  });

  it.each([2, 8])('does not grow with the number of processes that meet at its endpoint: %i', async (replicas) => {
    const { appends, reads, questions } = await costs(replicas);
    // The process that adds may be behind: it loses one append, reads the log on and decides again.
    expect(appends).toBeLessThanOrEqual(3 * DELIVERIES);
    expect(questions).toBeLessThanOrEqual(3 * DELIVERIES + replicas);
    expect(reads).toBeLessThanOrEqual(3 * DELIVERIES + replicas);
  });
});
