/** The fields of a package.json that a release depends on. */
export interface PublishedPackage {
  readonly name: string;
  readonly version: string;
  /** npm refuses the provenance of a package whose repository is not the one that builds it. */
  readonly repository?: { readonly url?: string; readonly directory?: string };
}

export interface Release {
  /** The tag that was pushed, such as `v0.2.0`. */
  readonly tag: string;
  /** The repository that runs the workflow, `owner/name`; undefined outside of it. */
  readonly repository: string | undefined;
  /** By the folder of each. */
  readonly packages: Readonly<Record<string, PublishedPackage>>;
  readonly changelog: string;
}

const VERSION = /^v(\d+\.\d+\.\d+)$/;

/** Why the tag must not be published: one sentence each; none when it may. */
export const releaseProblems = ({ tag, repository, packages, changelog }: Release): readonly string[] => {
  const [, version] = VERSION.exec(tag) ?? [];
  if (version === undefined) return [`The tag is ${tag}. A release has a tag such as v0.2.0.`];
  const problems: string[] = [];
  for (const [folder, { name, version: found, repository: home }] of Object.entries(packages)) {
    if (found !== version) problems.push(`${name} has version ${found}: set it to ${version} in ${folder}/package.json, or tag another version.`);
    if (home?.directory !== folder) problems.push(`repository.directory of ${folder}/package.json must be ${folder}.`);
    if (repository !== undefined && home?.url !== `git+https://github.com/${repository}.git`)
      problems.push(`repository.url of ${folder}/package.json must be git+https://github.com/${repository}.git, which publishes it.`);
  }
  if (!changelog.includes(`\n## ${version} (`)) problems.push(`CHANGELOG.md has no chapter ${version}: run \`npm run changelog -- ${version}\`.`);
  return problems;
};
