import { type Clock, type DeviceId, type IdentityId, RecentlyUsed, ServiceUnavailable } from '#kernel';
import {
  CommandHandler,
  type EventStore,
  type Loaded,
  isKnown,
  NewerEventStored,
  NO_STREAM,
  type RecordedEvent,
  type StreamAppend,
  type StreamName,
  StreamTombstoned,
  WrongExpectedRevision,
} from '#event-store';

import type { DeviceCommand } from '../domain/device.commands.js';
import { deviceDecider } from '../domain/device.decider.js';
import { DEVICE_EVENTS, type DeviceCompacted, type DeviceEnrolled, type DeviceEvent, type Enrolment } from '../domain/device.events.js';
import type { DeviceState } from '../domain/device.js';
import { deviceStream } from './streams.js';

/** The number of events in one read backwards, after a first read of the newest event, which nearly always carries the PIN state. */
const STEP = 4;

/** A key and some ids each, some 400 bytes. */
const ENROLMENTS = 20_000;

/** A stream is compacted when it passes a multiple of this revision. */
const COMPACT_EVERY = 32;

/** The tail of a device's stream as it was read. */
export type LoadedDevice = Loaded<DeviceState, DeviceEvent>;

interface StoredDevice {
  readonly enrolment: Enrolment;
  readonly state: DeviceState;
  readonly loaded: LoadedDevice;
}

/**
 * The streams `device-*`. The first event that a stream shows carries the enrolment. Every PIN event carries the whole PIN state,
 * so a decision reads backwards to the newest of them.
 */
export class Devices extends CommandHandler<DeviceState, DeviceCommand, DeviceEvent> {
  /** An enrolment never changes. It counts as long as the newest event is there: nothing is read of an erased device. */
  readonly #enrolments = new RecentlyUsed<StreamName, Enrolment>(ENROLMENTS);

  constructor(
    private readonly streams: EventStore,
    private readonly time: Clock,
  ) {
    super(streams, deviceDecider, time);
  }

  override async load(stream: StreamName): Promise<LoadedDevice> {
    return this.folded(await this.#tail(stream));
  }

  /** Decides the command, and compacts the stream from time to time. See {@link CommandHandler}. */
  override async handle(
    stream: StreamName,
    command: (device: DeviceState) => DeviceCommand | Promise<DeviceCommand>,
    remembered?: LoadedDevice,
  ): Promise<LoadedDevice> {
    const handled = await super.handle(stream, command, remembered);
    await this.#compact(stream, handled);
    return handled;
  }

  /** See {@link CommandHandler.propose}. Undefined also where the stream is compacted after the append. */
  override propose(stream: StreamName, command: (device: DeviceState) => DeviceCommand, remembered: LoadedDevice): StreamAppend | undefined {
    const append = super.propose(stream, command, remembered);
    return append && append.expected !== NO_STREAM && isCompactedAt(append.expected + append.events.length) ? undefined : append;
  }

  async find(deviceId: DeviceId): Promise<StoredDevice | undefined> {
    const stream = deviceStream(deviceId);
    const [enrolment, loaded] = await Promise.all([this.#enrolment(stream), this.load(stream)]);
    if (loaded.revision === NO_STREAM) this.#enrolments.delete(stream);
    return enrolment && loaded.revision !== NO_STREAM ? { enrolment, state: loaded.state, loaded } : undefined;
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
    const [last] = await this.streams.read<DeviceEvent>(deviceStream(deviceId), { direction: 'backwards', limit: 1 });
    if (last && !isKnown(DEVICE_EVENTS, last)) throw new NewerEventStored(last);
    return last?.type === 'DeviceRevoked' ? last.data.at : undefined;
  }

  /** Erases the device permanently, also one that is still being enrolled. May be repeated. */
  async erase(deviceId: DeviceId): Promise<void> {
    await this.streams.tombstone(deviceStream(deviceId));
  }

  /**
   * Erases the traces of logins: one event takes up the whole state, then the stream is truncated before it. One try, unlike
   * {@link CommandHandler.handle}: after a conflict the other writer's command may compact, or the next multiple does. No failure reaches
   * the caller, whose command is stored.
   */
  async #compact(stream: StreamName, { state, revision }: LoadedDevice): Promise<void> {
    if (state.status !== 'ENROLLED' || revision === NO_STREAM || !isCompactedAt(revision)) return;
    try {
      const enrolment = await this.#enrolment(stream);
      if (!enrolment) return;
      const compacted: DeviceCompacted = { type: 'DeviceCompacted', data: { ...enrolment, pin: state.pin, compactedAt: this.time.now() } };
      const appended = await this.streams.append(stream, revision, [compacted]);
      await this.streams.truncateBefore(stream, appended.revision);
    } catch (error) {
      const later = error instanceof WrongExpectedRevision || error instanceof StreamTombstoned || error instanceof ServiceUnavailable;
      if (!later) throw error;
    }
  }

  async #enrolment(stream: StreamName): Promise<Enrolment | undefined> {
    const known = this.#enrolments.get(stream);
    if (known) return known;
    const [first] = await this.streams.read<DeviceEnrolled | DeviceCompacted>(stream, { limit: 1 });
    if (first) this.#enrolments.set(stream, first.data);
    return first?.data;
  }

  async #tail(stream: StreamName): Promise<RecordedEvent<DeviceEvent>[]> {
    const tail: RecordedEvent<DeviceEvent>[] = [];
    for (;;) {
      const from = tail[0] && { from: tail[0].revision - 1 };
      const step = await this.streams.read<DeviceEvent>(stream, { direction: 'backwards', limit: from ? STEP : 1, ...from });
      for (const event of step) {
        tail.unshift(event);
        if ((isKnown(DEVICE_EVENTS, event) && 'pin' in event.data) || event.revision === 0) return tail;
      }
      if (step.length === 0) return tail;
    }
  }
}

/** A check appends one event or two, so the multiple itself may be skipped. */
const isCompactedAt = (revision: number): boolean => revision >= COMPACT_EVERY && revision % COMPACT_EVERY <= 1;
