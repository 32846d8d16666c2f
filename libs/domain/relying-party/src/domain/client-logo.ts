import { assertNever, type Decider, type DomainEvent } from '#kernel';

import { LogoNotFound } from './client.errors.js';

/** A checked picture. */
export type Logo = {
  /** Lower-case hex of the SHA-256 of the PNG; part of the picture's address, which therefore never changes its content. */
  readonly hash: string;
  /** Base64 of the PNG that the service encoded. */
  readonly image: string;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
};

/** The events of the stream `clientlogo-<clientId>`. Times are epoch milliseconds. The newest event holds every picture that is left, so that all before it can be erased. */
export type ClientLogoEvent =
  /** `approved`: no approval was needed. `shown`: the logo that people go on to see while this one waits. */
  | DomainEvent<'LogoUploaded', { readonly at: number; readonly logo: Logo; readonly approved: boolean; readonly shown?: Logo }>
  | DomainEvent<'LogoApproved', { readonly at: number; readonly logo: Logo }>
  | DomainEvent<'LogoRemoved', { readonly at: number }>;

export type ClientLogoCommand =
  | { readonly type: 'UploadLogo'; readonly now: number; readonly logo: Logo; readonly needsApproval: boolean }
  | { readonly type: 'ApproveLogo'; readonly now: number; readonly hash: string }
  | { readonly type: 'RemoveLogo'; readonly now: number };

/** The logo that people see, and the one that waits for approval. */
export interface ClientLogo {
  readonly shown?: Logo;
  readonly waiting?: Logo;
}

const upload = (logo: Logo, needsApproval: boolean, now: number, { shown, waiting }: ClientLogo): ClientLogoEvent[] => {
  const current = waiting ?? shown;
  if (current?.hash === logo.hash && (needsApproval || !waiting)) return [];
  return [{ type: 'LogoUploaded', data: { at: now, logo, approved: !needsApproval, ...(needsApproval && shown && { shown }) } }];
};

/** Names the picture: a picture that was exchanged meanwhile is not approved. */
const approve = (hash: string, now: number, { shown, waiting }: ClientLogo): ClientLogoEvent[] => {
  if (waiting?.hash === hash) return [{ type: 'LogoApproved', data: { at: now, logo: waiting } }];
  if (shown?.hash === hash) return [];
  throw new LogoNotFound('no such logo waits for approval');
};

const uploaded = ({ logo, approved, shown }: Extract<ClientLogoEvent, { type: 'LogoUploaded' }>['data']): ClientLogo =>
  approved ? { shown: logo } : { ...(shown && { shown }), waiting: logo };

export const clientLogoDecider: Decider<ClientLogo, ClientLogoCommand, ClientLogoEvent> = {
  initial: {},
  decide(command, state) {
    switch (command.type) {
      case 'UploadLogo':
        return upload(command.logo, command.needsApproval, command.now, state);
      case 'ApproveLogo':
        return approve(command.hash, command.now, state);
      case 'RemoveLogo':
        return state.shown || state.waiting ? [{ type: 'LogoRemoved', data: { at: command.now } }] : [];
      default:
        return assertNever(command);
    }
  },
  evolve(_state, event) {
    switch (event.type) {
      case 'LogoUploaded':
        return uploaded(event.data);
      case 'LogoApproved':
        return { shown: event.data.logo };
      case 'LogoRemoved':
        return {};
      default:
        return assertNever(event);
    }
  },
};
