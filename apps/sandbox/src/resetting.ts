import type { ServerResponse } from 'node:http';

/** What the process that holds the sandbox does for it. */
export interface SandboxControl {
  /** Makes everything anew that stands on the store; resolves when requests are answered from the new one. `response`: of the request that asks. Throws {@link ResetNotPossible}. */
  reset(response: ServerResponse): Promise<void>;
}

/** {@link SandboxControl}, for a controller. */
export class Resetting {
  constructor(private readonly control: SandboxControl) {}

  reset(response: ServerResponse): Promise<void> {
    return this.control.reset(response);
  }
}
