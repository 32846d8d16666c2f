import type { AnchorSettings } from './anchor-settings.js';
import { GUARDED } from './environment.js';
import { isLoopback } from './is-loopback.js';
import type { ReadSettings } from './read-settings.js';

/** Settings of the places of checkpoints that do not go together, in every environment. */
export const anchorProblems = (settings: Partial<AnchorSettings>): readonly string[] => {
  const { anchorDirectory, anchorUrl, anchorTokenFile, anchorCaFile, anchorTimestamps } = settings;
  const files = Object.entries({ ANCHOR_TOKEN_FILE: anchorTokenFile, ANCHOR_CA_FILE: anchorCaFile });
  return [
    ...files.flatMap(([name, value]) => (value !== undefined && anchorUrl === undefined ? [`${name} needs ANCHOR_URL.`] : [])),
    ...(anchorTimestamps && (anchorDirectory ?? anchorUrl) === undefined ? ['ANCHOR_TIMESTAMPS needs ANCHOR_DIR or ANCHOR_URL.'] : []),
  ];
};

/** What a guarded environment wants of the server and of the time-stamps. */
export const guardedAnchorProblems = (settings: ReadSettings): readonly string[] => [
  ...serverProblems(settings),
  ...(settings.anchorTimestamps && (settings.tsaUrls === undefined || settings.trustAnchors === undefined)
    ? [`ANCHOR_TIMESTAMPS needs TSA_URLS and TRUST_ANCHORS, ${GUARDED}: the development trust service is refused there. Set both, or leave it out.`]
    : []),
];

const serverProblems = ({ anchorUrl, anchorTokenFile }: ReadSettings): readonly string[] =>
  anchorUrl === undefined
    ? []
    : [
        ...(isLoopback(new URL(anchorUrl).hostname.replace(/^\[|\]$/g, ''))
          ? [
              `ANCHOR_URL must lead to another machine, ${GUARDED}: whoever owns this one could put older copies of both back. Set ANCHOR_URL to a server elsewhere.`,
            ]
          : []),
        ...(anchorTokenFile === undefined
          ? [
              `ANCHOR_URL needs ANCHOR_TOKEN_FILE, ${GUARDED}: without a token everybody could take the checkpoints away. Set ANCHOR_TOKEN_FILE to a file with one.`,
            ]
          : []),
      ];
