import { BreakGlassRefused } from '#domain/administration';
import { IdentityNotFound } from '#domain/identity';
import { EventStoreUnavailable, StreamRefused } from '#engines/event-store';
import { parseId, type IdentityId, ServiceUnavailable } from '#kernel';
import type { PlatformSettings } from '#service/config';
import { openBreakGlass, readSettings } from '#service/platform';

import { Refusal, Unavailable, UsageFailure } from '../failures.js';
import type { PrintedWayBack } from './break-glass-options.js';

type Opened = Awaited<ReturnType<typeof openBreakGlass>>['breakGlass'];

/** Asks for a way back for the person. Throws a Failure. */
export const askBreakGlass = (identityId: string, settings = readSettings()): Promise<void> =>
  withBreakGlass(settings, identityId, (breakGlass, person) => breakGlass.ask(person));

/** The links, once the waiting time is over. Throws a Failure. */
export const useBreakGlass = (identityId: string, settings = readSettings()): Promise<PrintedWayBack> =>
  withBreakGlass(settings, identityId, async (breakGlass, person) => {
    const { invitation, activationCode } = await breakGlass.use(person);
    return {
      invitationLink: `${settings.portalUrl.replace(/\/+$/, '')}/#invitation=${invitation.code.reveal()}`,
      activationLink: `${settings.appUrl}/#activate=${activationCode.reveal()}`,
    };
  });

const withBreakGlass = async <Answer>(
  settings: PlatformSettings,
  identityId: string,
  work: (breakGlass: Opened, person: IdentityId) => Promise<Answer>,
): Promise<Answer> => {
  const person = parseId<IdentityId>(identityId);
  if (!person) throw new UsageFailure('--person must be the identityId of a registered person');
  const opened = await openBreakGlass(settings).catch(explained);
  try {
    return await work(opened.breakGlass, person);
  } catch (error) {
    return explained(error);
  } finally {
    await opened.close();
  }
};

const explained = (error: unknown): never => {
  if (error instanceof EventStoreUnavailable || error instanceof ServiceUnavailable) throw new Unavailable(error.reason, { cause: error });
  if (error instanceof StreamRefused || error instanceof BreakGlassRefused || error instanceof IdentityNotFound)
    throw new Refusal(error.reason, { cause: error });
  throw error;
};
