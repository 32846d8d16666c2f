import { Controller, Get, Headers, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { domainError } from '#kernel';
import { Principal, Route, sendEvents, type ServerSentEvent } from '#service/http';
import type { Client } from '#domain/relying-party';
import { type ListenerItem, ListenToSessions, parseTypes } from '#domain/webhook';

export class NotOffered extends domainError('not_found') {}

/** Whether clients may listen, and what ends all listeners. */
export class Listening {
  constructor(
    readonly offered: boolean,
    readonly stopping: AbortSignal,
  ) {}
}

/** Characters of a cursor, at most. */
const LONGEST_CURSOR = 1_000;

/** The events of the client's sessions, as they happen (specification/relying-party.md#get-events). */
@Controller('relying-party/v1/events')
export class EventsController {
  constructor(
    private readonly listenToSessions: ListenToSessions,
    private readonly listening: Listening,
  ) {}

  @Get()
  @Route({ held: true })
  async listen(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @Principal() { clientId }: Client,
    @Query('types') named: unknown,
    @Headers('last-event-id') lastEventId: string | undefined,
  ): Promise<void> {
    if (!this.listening.offered)
      throw new NotOffered('WEBHOOK_LISTENING is false', 'This service does not offer it: its setting WEBHOOK_LISTENING is false.');
    const types = parseTypes(named);
    const cursor = lastEventId && lastEventId.length <= LONGEST_CURSOR ? lastEventId : undefined;
    await sendEvents(request, reply, this.listening, (signal) => sentBy(this.listenToSessions.execute({ clientId, types, cursor, signal })));
  }
}

async function* sentBy(items: AsyncIterable<ListenerItem>): AsyncGenerator<ServerSentEvent, void, void> {
  for await (const item of items) yield sent(item);
}

const sent = (item: ListenerItem): ServerSentEvent => {
  const { kind, cursor: id } = item;
  if (kind === 'idle') return { id };
  if (kind === 'listening') return { id, event: 'listening', data: JSON.stringify({ resumed: item.resumed }) };
  return { id, event: item.type, data: JSON.stringify({ id: item.id, body: item.body }) };
};
