import { FolderPlace, type NoteSigner, noteSigner, type NoteVerifier, PublishedLog } from '#engines/transparency-log';
import type { PlatformSettings } from '#service/config';

import type { PlatformParts } from './platform-parts.js';

export interface Anchors {
  readonly logs: readonly PublishedLog[];
  /** With the key of now. */
  readonly signer: () => NoteSigner;
}

/** Names the log, and its keys (C2SP tlog-checkpoint). */
export const originOf = ({ environment }: Pick<PlatformSettings, 'environment'>): string => `countersign/${environment}`;

/** The places where checkpoints lie. Undefined where no setting names one. */
export const anchorsOf = ({ settings, keys }: Pick<PlatformParts, 'settings' | 'keys'>): Anchors | undefined => {
  const places = settings.anchorDirectory === undefined ? [] : [new FolderPlace('ANCHOR_DIR', settings.anchorDirectory)];
  if (places.length === 0) return undefined;
  const origin = originOf(settings);
  const verifiers = (): readonly NoteVerifier[] => keys.checkpoint.all().map(({ key }) => noteSigner(origin, key).verifier);
  return {
    logs: places.map((place) => new PublishedLog(place, origin, verifiers)),
    signer: () => noteSigner(origin, keys.checkpoint.current().key),
  };
};
