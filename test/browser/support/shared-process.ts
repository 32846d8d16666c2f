import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { runDirectory, Service, StandaloneService } from '../../support/index.js';
import { reservePort } from '../../../testkit/processes/reserve-port.ts';

/** The service in one process, and the address of the demo in it. */
export interface ServiceWithDemo<Kind extends Service = Service> {
  readonly service: Kind;
  readonly demo: string;
}

export const startWithDemo = async (name: string, settings: Readonly<Record<string, string>> = {}): Promise<ServiceWithDemo<StandaloneService>> => {
  const port = await reservePort();
  const own = {
    DEMO: 'true',
    DEMO_PORT: String(port),
    PUSH_LIMIT: '1000',
    PUSH_PERSON_LIMIT: '1000',
    PUSH_DECLINE_WAIT: '1',
    CLIENT_CONSENT: 'true',
  };
  const service = await StandaloneService.start(name, { ...own, ...settings });
  return { service, demo: `http://localhost:${port}` };
};

/** The process of all files that do not move its clock. The first one starts it; the end of the run ends it. */
export const sharedProcess = async (): Promise<ServiceWithDemo> => {
  const note = join(runDirectory(), 'browser.json');
  if (!existsSync(note)) {
    const { service, demo } = await startWithDemo('browser');
    const { baseUrls, loginUrl, adminToken } = service;
    writeFileSync(note, JSON.stringify({ baseUrls, loginUrl, adminToken, demo }));
  }
  const { baseUrls, loginUrl, adminToken, demo } = JSON.parse(readFileSync(note, 'utf8')) as Service & { readonly demo: string };
  return { service: new Service(baseUrls, loginUrl, adminToken, 0), demo };
};
