const GROUP_LENGTH = 8;

/** One group of a fingerprint. People compare the first and the last group, so those two stand out. */
export interface FingerprintGroup {
  readonly text: string;
  readonly emphasised: boolean;
}

/** Splits a hexadecimal digest into groups of eight characters, in lower case as the service stores it. */
export const fingerprintGroups = (hash: string): readonly FingerprintGroup[] => {
  const groups = hash.toLowerCase().match(new RegExp(`.{1,${GROUP_LENGTH}}`, 'g')) ?? [];
  return groups.map((text, index) => ({ text, emphasised: index === 0 || index === groups.length - 1 }));
};
