import { Agent } from 'node:https';

import { MountedFile } from '#engines/access';
import type { EgressProxy } from '#engines/egress';
import { type AnchorPlace, FolderPlace, HttpsPlace, type NoteSigner, noteSigner, type NoteVerifier, PublishedLog } from '#engines/transparency-log';
import type { PlatformSettings } from '#service/config';

import type { PlatformParts } from './platform-parts.js';

export interface Anchors {
  readonly logs: readonly PublishedLog[];
  /** With the key of now. */
  readonly signer: () => NoteSigner;
}

/** Names the log, and its keys (C2SP tlog-checkpoint). */
export const originOf = ({ environment }: Pick<PlatformSettings, 'environment'>): string => `countersign/${environment}`;

type AnchorParts = Pick<PlatformParts, 'settings' | 'keys'> & Partial<Pick<PlatformParts, 'egress'>>;

/** The places where checkpoints lie. Undefined where no setting names one. */
export const anchorsOf = ({ settings, keys, egress }: AnchorParts): Anchors | undefined => {
  const places = placesOf(settings, egress);
  if (places.length === 0) return undefined;
  const origin = originOf(settings);
  const verifiers = (): readonly NoteVerifier[] => keys.checkpoint.all().map(({ key }) => noteSigner(origin, key).verifier);
  return {
    logs: places.map((place) => new PublishedLog(place, origin, verifiers)),
    signer: () => noteSigner(origin, keys.checkpoint.current().key),
  };
};

const placesOf = ({ anchorDirectory, anchorUrl, ...files }: PlatformSettings, egress: EgressProxy | undefined): readonly AnchorPlace[] => [
  ...(anchorDirectory === undefined ? [] : [new FolderPlace('ANCHOR_DIR', anchorDirectory)]),
  ...(anchorUrl === undefined ? [] : [serverAt(anchorUrl, files, egress)]),
];

/** Connections of one process that are open at the same time, and milliseconds until one is open. */
const CONNECTIONS = 8;
const CONNECT_TIMEOUT = 5_000;

/** The server at ANCHOR_URL. */
export const serverAt = (
  url: string,
  { anchorTokenFile, anchorCaFile }: Pick<PlatformSettings, 'anchorTokenFile' | 'anchorCaFile'>,
  egress: EgressProxy | undefined,
): HttpsPlace => {
  const options = { keepAlive: true, maxSockets: CONNECTIONS };
  const [token, ca] = [fileOf('ANCHOR_TOKEN_FILE', anchorTokenFile), fileOf('ANCHOR_CA_FILE', anchorCaFile)];
  return new HttpsPlace({
    name: 'ANCHOR_URL',
    url,
    agent: egress?.agents({ timeout: CONNECT_TIMEOUT, agent: options })['https:'] ?? new Agent(options),
    authorization: token && (() => `Bearer ${token.read()}`),
    ca: ca && (() => ca.read()),
  });
};

const fileOf = (setting: string, path: string | undefined): MountedFile | undefined =>
  path === undefined ? undefined : new MountedFile(setting, path);
