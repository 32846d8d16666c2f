import { type DeviceId, type IdentityId, RecentlyUsed, ServiceUnavailable } from '#kernel';
import {
  type EventStore,
  isKnown,
  type Loaded,
  type StreamLooks,
  NewerEventStored,
  NO_STREAM,
  type RecordedEvent,
  type StreamInWork,
  type StreamName,
  type Streams,
  StreamTombstoned,
  type StreamType,
  type UnitOfWork,
  WrongExpectedRevision,
} from '#engines/event-store';

import type { DeviceCommand } from '../domain/device.commands.js';
import { deviceDecider } from '../domain/device.decider.js';
import { DEVICE_EVENTS, type DeviceCompacted, type DeviceEnrolled, type DeviceEvent, type Enrolment } from '../domain/device.events.js';
import type { DeviceState } from '../domain/device.js';
import { DEVICES, deviceStream } from '../streams.js';

/** The number of events in one read backwards, after a first read of the newest event, which nearly always carries the PIN state. */
const STEP = 4;

/** A key and some ids each, some 400 bytes. */
const ENROLMENTS = 20_000;

/** A stream is compacted when it passes a multiple of this revision. */
const COMPACT_EVERY = 32;

/** A device within a work. */
type DeviceInWork = StreamInWork<DeviceState, DeviceCommand, DeviceEvent>;

interface StoredDevice {
  readonly enrolment: Enrolment;
  readonly state: DeviceState;
}

/**
 * The streams `device-*`. The first event that a stream shows carries the enrolment. Every PIN event carries the whole PIN state,
 * so a decision reads backwards to the newest of them.
 */
export class Devices {
  readonly #type: StreamType<DeviceState, DeviceCommand, DeviceEvent> = {
    category: DEVICES.category,
    decider: deviceDecider,
    read: readTail,
    committed: (stream, { after }) => this.#compact(stream, after),
  };
  /** An enrolment never changes. It counts as long as the newest event is there: nothing is read of an erased device. */
  readonly #enrolments = new RecentlyUsed<StreamName, Enrolment>(ENROLMENTS);

  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** Within a work that may decide on the device. */
  in(streams: Streams, deviceId: DeviceId): Promise<DeviceInWork> {
    return streams.load(this.#type, deviceStream(deviceId));
  }

  /** Within a work that only looks at the device. */
  async lookIn(streams: StreamLooks, deviceId: DeviceId): Promise<DeviceState> {
    return (await streams.look(this.#type, deviceStream(deviceId))).state;
  }

  /** The same, as this process remembers it: {@link Streams.recall}. */
  async recallIn(streams: Streams, deviceId: DeviceId): Promise<DeviceState> {
    return (await streams.recall(this.#type, deviceStream(deviceId))).state;
  }

  /** Runs one command. */
  async handle(deviceId: DeviceId, command: DeviceCommand): Promise<void> {
    await this.unitOfWork.run(async (streams) => (await this.in(streams, deviceId)).decide(command));
  }

  async find(deviceId: DeviceId): Promise<StoredDevice | undefined> {
    const stream = deviceStream(deviceId);
    const [enrolment, { state, revision }] = await Promise.all([this.#enrolment(stream), this.unitOfWork.read(this.#type, stream)]);
    if (revision === NO_STREAM) this.#enrolments.delete(stream);
    return enrolment && revision !== NO_STREAM ? { enrolment, state } : undefined;
  }

  /** The device as this process remembers it: {@link UnitOfWork.remembered}. */
  remembered(deviceId: DeviceId): StoredDevice | undefined {
    const stream = deviceStream(deviceId);
    const [enrolment, loaded] = [this.#enrolments.get(stream), this.unitOfWork.remembered(this.#type, stream)];
    return enrolment && loaded && { enrolment, state: loaded.state };
  }

  /** {@link UnitOfWork.prepare}. */
  prepare(deviceId: DeviceId): Promise<void> {
    return this.unitOfWork.prepare(this.#type, deviceStream(deviceId));
  }

  /** The person of the device, as far as this process knows it without a read. */
  ownerOf(deviceId: DeviceId): IdentityId | undefined {
    return this.#enrolments.get(deviceStream(deviceId))?.identityId;
  }

  /** The enrolment of the device, also of a revoked one. Undefined for an unknown or erased device. */
  enrolment(deviceId: DeviceId): Promise<Enrolment | undefined> {
    return this.#enrolment(deviceStream(deviceId));
  }

  /** When the device was revoked, epoch milliseconds. Undefined for a device that is not revoked. Throws NewerEventStored. */
  async revokedAt(deviceId: DeviceId): Promise<number | undefined> {
    const [last] = await this.unitOfWork.store.read<DeviceEvent>(deviceStream(deviceId), { direction: 'backwards', limit: 1 });
    if (last && !isKnown(DEVICE_EVENTS, last)) throw new NewerEventStored(last);
    return last?.type === 'DeviceRevoked' ? last.data.at : undefined;
  }

  /** Erases the device permanently, also one that is still being enrolled. May be repeated. */
  async erase(deviceId: DeviceId): Promise<void> {
    await DEVICES.tombstone(this.unitOfWork.store, deviceStream(deviceId));
    this.unitOfWork.forget(deviceStream(deviceId));
  }

  /**
   * Erases the traces of logins: one event takes up the whole state, then the stream is truncated before it. One try, unlike a work: after a conflict the other writer's command may compact, or the next multiple does. No failure reaches
   * the caller, whose command is stored.
   */
  async #compact(stream: StreamName, { state, revision }: Loaded<DeviceState, DeviceEvent>): Promise<void> {
    if (state.status !== 'ENROLLED' || revision === NO_STREAM || !isCompactedAt(revision)) return;
    try {
      const enrolment = await this.#enrolment(stream);
      if (!enrolment) return;
      const compacted: DeviceCompacted = {
        type: 'DeviceCompacted',
        data: { ...enrolment, pin: state.pin, compactedAt: this.unitOfWork.clock.now() },
      };
      const appended = await this.unitOfWork.store.append(stream, revision, [compacted]);
      this.unitOfWork.forget(stream);
      await DEVICES.truncateBefore(this.unitOfWork.store, stream, appended.revision);
    } catch (error) {
      const later = error instanceof WrongExpectedRevision || error instanceof StreamTombstoned || error instanceof ServiceUnavailable;
      if (!later) throw error;
    }
  }

  async #enrolment(stream: StreamName): Promise<Enrolment | undefined> {
    const known = this.#enrolments.get(stream);
    if (known) return known;
    const [first] = await this.unitOfWork.store.read<DeviceEnrolled | DeviceCompacted>(stream, { limit: 1 });
    if (first) this.#enrolments.set(stream, first.data);
    return first?.data;
  }
}

/** The events back to the newest one that carries the PIN state. */
const readTail = async (store: EventStore, stream: StreamName): Promise<readonly RecordedEvent<DeviceEvent>[]> => {
  const tail: RecordedEvent<DeviceEvent>[] = [];
  for (;;) {
    const from = tail[0] && { from: tail[0].revision - 1 };
    const step = await store.read<DeviceEvent>(stream, { direction: 'backwards', limit: from ? STEP : 1, ...from });
    for (const event of step) {
      tail.unshift(event);
      if ((isKnown(DEVICE_EVENTS, event) && 'pin' in event.data) || event.revision === 0) return tail;
    }
    if (step.length === 0) return tail;
  }
};

/** A check appends one event or two, so the multiple itself may be skipped. */
const isCompactedAt = (revision: number): boolean => revision >= COMPACT_EVERY && revision % COMPACT_EVERY <= 1;
