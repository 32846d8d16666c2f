import type { CloudEvent } from './cloud-event.js';
import type { HandoverContext } from './message-bus.js';

/** The calls of the transport during a delivery. */
export interface Arrival extends Pick<HandoverContext, 'signal'> {
  /** Absent where the transport takes no member of the group for gone. */
  readonly heartbeat?: HandoverContext['heartbeat'] | undefined;
  /** Stores the message as a dead letter. May reject: it is then called again. */
  park(reason: string, message: CloudEvent | undefined): Promise<void>;
}
