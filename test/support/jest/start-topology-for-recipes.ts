import buildRecipes from './build-recipes.ts';
import startTopology from './start-topology.ts';

/** The frameworks of relying parties, and separate services for them. */
export default async (): Promise<void> => {
  buildRecipes();
  await startTopology();
};
