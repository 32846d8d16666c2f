import type { Clock, DeviceId, Randomness, Stored } from '#kernel';
import { CommandHandler, type EventStore, type Loaded, NO_STREAM, type RecordedEvent, type StreamName } from '#event-store';

import type { DeviceCommand } from '../domain/device.commands.js';
import { deviceDecider } from '../domain/device.decider.js';
import type { DeviceEvent, Enrolment } from '../domain/device.events.js';
import type { DeviceState } from '../domain/device.js';
import { deviceStream } from './streams.js';

/** How many events a look backwards takes at a time. */
const STEP = 4;

/**
 * The streams `device-*`. They grow with every approval, so they are read backwards, as far as the last event that
 * carries the PIN state.
 */
export class Devices extends CommandHandler<DeviceState, DeviceCommand, DeviceEvent> {
  constructor(
    private readonly streams: EventStore,
    clock: Clock,
    randomness: Randomness,
  ) {
    super(streams, deviceDecider, clock, randomness);
  }

  override async load(stream: StreamName): Promise<Loaded<DeviceState, DeviceEvent>> {
    const recorded = await this.#tail(stream);
    const events = recorded.map((event) => event as unknown as Stored<DeviceEvent>);
    return {
      state: events.reduce<DeviceState>((device, event) => deviceDecider.evolve(device, event), deviceDecider.initial),
      events,
      revision: recorded.at(-1)?.revision ?? NO_STREAM,
    };
  }

  async find(deviceId: DeviceId): Promise<{ enrolment: Enrolment; state: DeviceState } | undefined> {
    const stream = deviceStream(deviceId);
    const [[first], { state }] = await Promise.all([this.streams.read(stream, { limit: 1 }), this.load(stream)]);
    return first && { enrolment: first.data as unknown as Enrolment, state };
  }

  async #tail(stream: StreamName): Promise<RecordedEvent[]> {
    const tail: RecordedEvent[] = [];
    for (;;) {
      const from = tail[0] && { from: tail[0].revision - 1 };
      const step = await this.streams.read(stream, { direction: 'backwards', limit: STEP, ...from });
      for (const event of step) {
        tail.unshift(event);
        if ('pin' in event.data || event.revision === 0) return tail;
      }
      if (step.length === 0) return tail;
    }
  }
}
