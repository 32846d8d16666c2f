import { type Stamper, StampRefused } from '#engines/transparency-log';
import type { Clock, Randomness } from '#kernel';
import type { PlatformSettings } from '#service/config';
import { BadTimeStamp, Certificate, type DevelopmentPki, type Egress, TrustStore, verifyTimeStampToken } from '#signatures/pki';

import { certificatesIn } from './certificate-files.js';
import { openTimestampAuthority } from './trust-services.js';

export interface CheckpointStamperParts {
  readonly settings: PlatformSettings;
  /** Absent in a guarded environment. */
  readonly pki: DevelopmentPki | undefined;
  readonly clock: Clock;
  readonly randomness: Randomness;
  /** The way to external services. Absent: direct connections. */
  readonly egress?: Egress | undefined;
}

/** Has checkpoints time-stamped by the authority that signatures use. Undefined where ANCHOR_TIMESTAMPS does not ask for it. Throws InvalidSettings. */
export const openCheckpointStamper = async ({ settings, pki, ...others }: CheckpointStamperParts): Promise<Stamper | undefined> => {
  if (!settings.anchorTimestamps) return undefined;
  const trust = new TrustStore([
    ...(pki ? [Certificate.parse(pki.root.certificate)] : []),
    ...(await certificatesIn('TRUST_ANCHORS', settings.trustAnchors)),
  ]);
  const pool = await certificatesIn('TSA_ISSUERS', settings.tsaIssuers);
  const authority = await openTimestampAuthority(settings, { trust, pki, egress: undefined, ...others });
  if (!authority) return undefined;
  return {
    stamp: async (bytes) => (await authority.stamp(bytes)).token,
    timeOf: (token, bytes) => {
      try {
        return verifyTimeStampToken(token, bytes, { trust, pool }).genTime;
      } catch (error) {
        if (error instanceof BadTimeStamp) throw new StampRefused(`a time-stamp of a checkpoint: ${error.message}`, { cause: error });
        throw error;
      }
    },
  };
};
