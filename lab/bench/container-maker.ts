import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

export interface ContainersMade {
  readonly containers: number;
  /** Of processor time, all threads of the process together. */
  readonly cpuSeconds: number;
}

/** The process of `container-process.ts`. */
export class ContainerMaker {
  private constructor(
    private readonly child: ChildProcess,
    private readonly lines: AsyncIterator<string>,
  ) {}

  /** `main`: the compiled file. `flags`: Node's own. Resolves when it can begin. */
  static async start(main: string, flags: readonly string[] = []): Promise<ContainerMaker> {
    const child = spawn(process.execPath, [...flags, main], { stdio: ['pipe', 'pipe', 'inherit'] });
    const maker = new ContainerMaker(child, createInterface({ input: child.stdout })[Symbol.asyncIterator]());
    await maker.#line();
    return maker;
  }

  get pid(): number {
    return this.child.pid ?? NaN;
  }

  /** Makes containers for so many seconds. */
  async make(seconds: number): Promise<ContainersMade> {
    this.child.stdin?.write(`${seconds}\n`);
    return JSON.parse(await this.#line()) as ContainersMade;
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null) return;
    const exited = once(this.child, 'exit');
    this.child.stdin?.end();
    await exited;
  }

  async #line(): Promise<string> {
    const { value, done } = await this.lines.next();
    if (done) throw new Error('the process that makes containers has ended');
    return value;
  }
}
