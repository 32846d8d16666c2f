import { type EngineName, explainRefusal } from './explain-refusal.js';

/** Tells why an engine refuses this service: each reason once, until a call has succeeded. */
export class RefusalReport {
  #told: string | undefined;

  constructor(
    private readonly engine: EngineName,
    /** Called with a line for the log. */
    private readonly tell: (reason: string) => void,
  ) {}

  /** Answers the reason; undefined for an error that is no refusal. */
  failed(error: unknown): string | undefined {
    const reason = explainRefusal(error, this.engine);
    if (reason !== undefined && reason !== this.#told) this.tell(reason);
    this.#told = reason ?? this.#told;
    return reason;
  }

  succeeded(): void {
    this.#told = undefined;
  }
}
