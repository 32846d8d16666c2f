/** Ports of the loopback that nobody listens on. */
export declare const freePorts: (count: number) => Promise<number[]>;
