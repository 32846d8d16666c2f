import { BlockList, isIP } from 'node:net';

/** The hosts that are reached without the proxy, such as trust services of one's own network. */
export class DirectTargets {
  readonly #networks = new BlockList();
  readonly #names = new Set<string>();

  /** `targets`: addresses, networks and names of hosts, such as `10.0.0.0/8` and `tsa.intranet.example`. */
  constructor(targets: readonly string[]) {
    for (const target of targets) {
      const [address = '', length] = target.split('/');
      const version = isIP(address);
      if (version === 0) this.#names.add(target.toLowerCase());
      else this.#networks.addSubnet(address, Number(length ?? (version === 4 ? 32 : 128)), version === 4 ? 'ipv4' : 'ipv6');
    }
  }

  hasName(name: string): boolean {
    return this.#names.has(name.toLowerCase().replace(/\.$/, ''));
  }

  hasAddress(address: string): boolean {
    return this.#networks.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
  }
}
