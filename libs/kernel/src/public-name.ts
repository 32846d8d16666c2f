/** Top-level names that lead nowhere on the internet: RFC 6761, RFC 6762, RFC 7686, RFC 9476, and ICANN's name for private use. `example` stands in documents for any other name. */
const PRIVATE: ReadonlySet<string> = new Set(['alt', 'arpa', 'internal', 'invalid', 'local', 'localhost', 'onion', 'test']);

/** Whether a name of the DNS, as a parsed URL has it, may lead to a host on the internet. It need not exist. The caller keeps IP addresses out. */
export const isPublicName = (name: string): boolean => {
  const labels = name.replace(/\.$/, '').split('.');
  return labels.length > 1 && !PRIVATE.has(labels.at(-1) ?? '');
};
