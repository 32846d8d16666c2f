import type { IncomingHttpHeaders } from 'node:http';

import { createPlainApp, serve } from '#service/http';
import { type ListenTimes, listening } from '#domain/webhook';
import { type SessionFixture, sessionFixture } from '#testkit/platform/session-fixture';
import { EventReader, getOver, textOf } from '#testkit/http/event-reader';

import { sessionApiFixture } from './session-api.fixture.js';

export interface Listening {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  /** Of a stream. */
  readonly events: EventReader;
  /** Of a refusal. */
  text(): Promise<string>;
}

/** Milliseconds. */
const LONG: ListenTimes = { idle: 60_000, life: 3_600_000 };

/** The session API on a port, on a store of its own unless a world is given. */
export const eventsFixture = async ({ times = LONG, world }: { readonly times?: ListenTimes; readonly world?: SessionFixture } = {}) => {
  const made = world ?? (await sessionFixture());
  const { platform } = made;
  const useCases = listening({ ...platform, times, report: () => undefined });
  const api = await sessionApiFixture({ ...made, platform: { ...platform, useCases: { ...platform.useCases, listening: () => useCases } } });
  const server = await serve({ host: '127.0.0.1', port: 0, mounts: [{ prefix: '/relying-party', app: api.app }], fallback: createPlainApp() });
  const basic = ({ clientId, clientSecret } = api.client): string => `Basic ${btoa(`${clientId}:${clientSecret.reveal()}`)}`;

  const listen = async (query = '', headers: Readonly<Record<string, string>> = {}, authorization = basic()): Promise<Listening> => {
    const url = `http://127.0.0.1:${server.port}/relying-party/v1/events${query}`;
    const answer = await getOver(url, { authorization, ...headers });
    let events: EventReader | undefined;
    return {
      status: answer.statusCode,
      headers: answer.headers,
      text: () => textOf(answer),
      get events() {
        return (events ??= new EventReader(answer));
      },
    };
  };
  return {
    ...api,
    port: server.port,
    basic,
    listen,
    /** The same, once it hears of all that happens from then on. */
    listening: async (query = '', headers: Readonly<Record<string, string>> = {}, authorization = basic()): Promise<EventReader> => {
      const { events, status } = await listen(query, headers, authorization);
      if (status !== 200) throw new Error(`listening is answered ${status}`);
      for (let event = await events.next(); event?.event !== 'listening'; event = await events.next()) {
        if (!event) throw new Error('the stream ended');
      }
      return events;
    },
    close: async () => {
      platform.stop();
      await server.close();
      await api.close();
    },
  };
};
