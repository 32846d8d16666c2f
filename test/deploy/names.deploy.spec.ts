import { describe, expect, it } from '@jest/globals';

import { component, type KubernetesObject, ofKind, podOf, render } from './support/chart.ts';

const namesOf = (objects: readonly KubernetesObject[]): readonly string[] => objects.map(({ kind, metadata }) => `${kind}/${metadata.name}`);
const at = (release: string, file = 'minimal-values.yaml') => render(file, {}, release);

/** Helm's own bound of a release's name. */
const LONGEST = 53;
const LENGTHS = [1, 2, 17, 18, 19, 26, 27, 33, 34, 39, 40, 41, 51, 52, LONGEST];

describe('the names of the objects', () => {
  it.each(LENGTHS.map((length) => 'payments-and-identity-platform-countersign-production'.slice(0, length).replace(/-$/, 'x')))(
    'differ, are short enough and end with what the object is, at the release %s',
    (release) => {
      const objects = at(release);
      expect(objects).toHaveLength(at('demo').length);
      expect(new Set(namesOf(objects)).size).toBe(objects.length);
      for (const { kind, metadata } of objects) {
        expect(metadata.name.length).toBeLessThanOrEqual(kind === 'CronJob' ? 52 : LONGEST);
        if (kind === 'Service') expect(metadata.name).toMatch(/^[a-z]([a-z0-9-]*[a-z0-9])?$/);
      }
      for (const deployment of ofKind(objects, 'Deployment')) expect(deployment.metadata.name).toMatch(new RegExp(`-${component(deployment)}$`));
    },
  );

  it('are those of the release where they fit', () => {
    expect(namesOf(ofKind(at('demo'), 'Service'))).toContain('Service/demo-webhook-dispatcher');
  });

  it.each([
    ['that begin alike', `${'a'.repeat(52)}b`, `${'a'.repeat(52)}c`],
    ['of which one has a dot in place of a dash', 'team.one', 'team-one'],
    ['of which one begins with a digit', '1team', 'r1team'],
  ])('differ between two releases %s', (_, one, other) => {
    const [names, others] = [new Set(namesOf(at(one))), namesOf(at(other))];
    expect(others.filter((name) => names.has(name))).toEqual([]);
    for (const { metadata } of ofKind(at(one), 'Service')) expect(metadata.name).toMatch(/^[a-z]([a-z0-9-]*[a-z0-9])?$/);
  });

  it('are the same wherever one object names another', () => {
    const objects = at('payments-and-identity-platform-countersign-production', 'certificates-values.yaml');
    const names = new Set(namesOf(objects));
    for (const deployment of ofKind(objects, 'Deployment')) {
      const pod = podOf(deployment) as ReturnType<typeof podOf> & { readonly serviceAccountName: string };
      expect(names).toContain(`ServiceAccount/${pod.serviceAccountName}`);
      for (const { configMapRef } of pod.containers[0].envFrom ?? []) expect(names).toContain(`ConfigMap/${configMapRef.name}`);
    }
    for (const { spec } of ofKind(objects, 'HTTPRoute'))
      for (const { backendRefs } of spec.rules as { backendRefs: { name: string }[] }[]) expect(names).toContain(`Service/${backendRefs[0]!.name}`);
    for (const { spec } of ofKind(objects, 'HorizontalPodAutoscaler')) expect(names).toContain(`Deployment/${spec.scaleTargetRef.name}`);
    for (const { spec } of ofKind(objects, 'ScaledObject')) expect(names).toContain(`Deployment/${spec.scaleTargetRef.name}`);
  });
});

describe('what an operator adds to the pods', () => {
  const volume = { name: 'egress', secret: { secretName: 'egress-proxy', defaultMode: 288 } };
  const mount = { name: 'egress', mountPath: '/run/secrets/egress', readOnly: true };
  const objects = render('minimal-values.yaml', {
    'serviceAccount.annotations': { 'iam.example.com/role': 'countersign' },
    podAnnotations: { 'mesh.example.com/inject': 'true' },
    podLabels: { team: 'identity' },
    extraVolumes: [volume],
    extraVolumeMounts: [mount],
  });
  const templates = [...ofKind(objects, 'Deployment'), ...ofKind(objects, 'CronJob')].map(({ spec }) => (spec.jobTemplate?.spec ?? spec).template);

  it('are annotations and labels, beside those of the chart', () => {
    expect(templates.length).toBeGreaterThan(9);
    for (const { metadata } of templates) {
      expect(metadata.annotations).toMatchObject({ 'mesh.example.com/inject': 'true' });
      expect(metadata.labels).toMatchObject({ team: 'identity', 'app.kubernetes.io/name': 'countersign' });
    }
    for (const { spec } of ofKind(objects, 'Deployment')) {
      expect(spec.template.metadata.annotations['countersign/settings']).toMatch(/^[0-9a-f]{64}$/);
      expect(spec.selector.matchLabels).not.toHaveProperty('team');
    }
  });

  it('are volumes and where they are mounted', () => {
    for (const { spec } of templates) {
      expect(spec.volumes).toContainEqual(volume);
      expect(spec.containers[0].volumeMounts).toContainEqual(mount);
    }
  });

  it('is an account of the chart with annotations, or one that exists; its token is never mounted', () => {
    const [account] = ofKind(objects, 'ServiceAccount') as readonly (KubernetesObject & { readonly automountServiceAccountToken: boolean })[];
    expect(account!.metadata.annotations).toEqual({ 'iam.example.com/role': 'countersign' });
    expect(account!.automountServiceAccountToken).toBe(false);
    const own = render('minimal-values.yaml', { serviceAccount: { create: false, name: 'own-account' } });
    expect(ofKind(own, 'ServiceAccount')).toEqual([]);
    for (const { spec } of ofKind(own, 'Deployment'))
      expect(spec.template.spec).toMatchObject({ serviceAccountName: 'own-account', automountServiceAccountToken: false });
  });

  it.each([
    [{ podLabels: { 'app.kubernetes.io/name': 'other' } }, "propertyName 'app.kubernetes.io/name'"],
    [{ podLabels: { team: 'not a label' } }, '/podLabels'],
    [{ podAnnotations: { 'countersign/settings': 'x' } }, "propertyName 'countersign/settings'"],
    [{ extraVolumes: [{ name: 'keys', emptyDir: {} }] }, '/extraVolumes/0/name'],
    [{ extraVolumeMounts: [{ name: 'egress' }] }, '/extraVolumeMounts/0'],
    [{ serviceAccount: { create: false, name: '' } }, '/serviceAccount/name'],
  ])('is refused by name when it cannot work: %j', (values, place) => {
    expect(() => render('minimal-values.yaml', values)).toThrow(place);
  });
});
