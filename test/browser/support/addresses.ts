/** The origins and pages under test. */
export interface Addresses {
  /** The specification's {base_url}. */
  readonly service: string;
  readonly login: string;
  readonly phone: string;
  readonly demo: string;
}
