import { table } from '../report.js';

/** The cost of one path at each size. Undefined: not measured there. */
export interface Path {
  readonly name: string;
  readonly unit: string;
  /** How the cost grows with the size, by the design. */
  readonly complexity: string;
  readonly costs: readonly (number | undefined)[];
}

/** The costs of one size, by the name of the path. */
export type Costs = Readonly<Record<string, number>>;

/** A path as it is known before it is measured. */
export type PathPlan = Omit<Path, 'costs'>;

/** Paths in their order, sizes from left to right, and how many times the largest size costs what the smallest does. */
export const growthTable = (what: string, sizes: readonly number[], plans: readonly PathPlan[], measured: readonly Costs[]): string => {
  const paths = plans.map((plan) => ({ ...plan, costs: measured.map((costs) => costs[plan.name]) }));
  return table(
    [what, ...sizes.map((size) => size.toLocaleString('en')), 'largest ÷ smallest', 'complexity'],
    paths.map((path) => [`${path.name}, ${path.unit}`, ...path.costs.map(shown), ratio(path.costs), path.complexity]),
  );
};

const shown = (cost: number | undefined): string => {
  if (cost === undefined) return '–';
  return cost >= 100 ? Math.round(cost).toLocaleString('en') : cost >= 10 ? cost.toFixed(1) : cost.toFixed(2);
};

const ratio = (costs: readonly (number | undefined)[]): string => {
  const [first, last] = [costs[0], costs.at(-1)];
  return first && last ? (last / first).toFixed(2) : '–';
};
