interface Lap {
  readonly name: string;
  readonly seconds: number;
}

/** Says each step as it ends, with its seconds. */
export class Stopwatch {
  readonly #laps: Lap[] = [];

  async step<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    const began = performance.now();
    const result = await work();
    const seconds = (performance.now() - began) / 1000;
    this.#laps.push({ name, seconds });
    console.log(`  ${name.padEnd(WIDTH)}${seconds.toFixed(1).padStart(7)} s`);
    return result;
  }

  /** Says what the steps since the last call took together. */
  sum(name: string): void {
    const seconds = this.#laps.splice(0).reduce((all, lap) => all + lap.seconds, 0);
    console.log(`  ${name.padEnd(WIDTH)}${seconds.toFixed(1).padStart(7)} s\n`);
  }
}

const WIDTH = 60;
