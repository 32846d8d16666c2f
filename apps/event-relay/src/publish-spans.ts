import { beginSpan, type NewSpan } from '#kernel';
import type { CloudEvent } from '#engines/message-bus';

/** Runs the publication of these messages in a span for each one that carries a trace context. */
export const publishing = async <Result>(messages: readonly CloudEvent[], topic: string, work: () => Promise<Result>): Promise<Result> => {
  const spans = messages.flatMap((message) => (message.traceparent === undefined ? [] : (beginSpan(() => spanOf(message, topic)) ?? [])));
  try {
    const result = await work();
    for (const span of spans) span.end();
    return result;
  } catch (error) {
    for (const span of spans) span.end(error instanceof Error ? error.name : typeof error);
    throw error;
  }
};

const spanOf = ({ type, subject, esrevision, traceparent }: CloudEvent, topic: string): NewSpan => ({
  name: `publish ${type}`,
  kind: 'producer',
  parent: traceparent,
  attributes: { 'messaging.destination.name': topic, 'countersign.session_id': subject, 'countersign.revision': esrevision },
});
