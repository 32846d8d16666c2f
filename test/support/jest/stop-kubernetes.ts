/** Ends the control plane that the set-up has started. */
export default async (): Promise<void> => {
  const { stopKubernetes } = globalThis as { stopKubernetes?: () => Promise<void> };
  await stopKubernetes?.();
};
