/** The address in `REDIS_URL`, once for each of its hosts, which a comma separates: `redis://user@a:6379,b:6379`. */
export const redisAddresses = (url: string): readonly string[] => {
  const [, start = '', hosts = '', rest = ''] = /^(rediss?:\/\/(?:[^@/]*@)?)([^@/?#]*)(.*)$/s.exec(url) ?? ['', '', url];
  return hosts.split(',').map((host) => `${start}${host}${rest}`);
};
