/** nginx with the template that the compose file uses. */
export declare class Gateway {
  /** `upstreams`: the servers of each upstream of the template, by its variable. */
  constructor(options: {
    readonly directory: string;
    readonly upstreams: Readonly<Record<string, string>>;
    readonly ports: { readonly api: number; readonly login: number; readonly phone: number };
  });
  start(): Promise<void>;
  stop(): Promise<void>;
}
