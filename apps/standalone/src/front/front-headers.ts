interface Sources {
  readonly script?: string;
  readonly style?: string;
  readonly connect?: string;
}

/** The headers of a page of the front: nothing from a third party, only the given sources, no framing. */
export const frontHeaders = ({ script = "'none'", style = "'none'", connect = "'none'" }: Sources): Readonly<Record<string, string>> => ({
  'content-security-policy': [
    "default-src 'none'",
    `script-src ${script}`,
    `style-src ${style}`,
    `connect-src ${connect}`,
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
});
