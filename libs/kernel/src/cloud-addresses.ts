/** Addresses of one link, of which no other network knows. Most clouds answer there with credentials of the machine. */
export const LINK_LOCAL_NETWORKS: readonly string[] = ['169.254.0.0/16', 'fe80::/10'];

/** Where clouds answer with credentials of the machine, besides link-local addresses. */
export const METADATA_ADDRESSES: readonly string[] = [
  // AWS: of the machine, of pods.
  'fd00:ec2::254',
  'fd00:ec2::23',
  // Google.
  'fd20:ce::254',
  // Alibaba.
  '100.100.100.200',
  // Oracle.
  '192.0.0.192',
  'fd00:c1::a9fe:a9fe',
  // Azure, the wire server.
  '168.63.129.16',
  // Scaleway.
  'fd00:42::42',
  // Akamai (Linode).
  'fd00:a9fe:a9fe::1',
];
