{{/* The facts of all services by name. */}}
{{- define "countersign.services" -}}
{{ .Files.Get "files/services.yaml" }}
{{- end }}

{{- define "countersign.name" -}}
{{ printf "%s-%s" .root.Release.Name .name | trunc 52 | trimSuffix "-" }}
{{- end }}

{{- define "countersign.selector" -}}
app.kubernetes.io/name: countersign
app.kubernetes.io/instance: {{ .root.Release.Name }}
{{- with .name }}
app.kubernetes.io/component: {{ . }}
{{- end }}
{{- end }}

{{- define "countersign.labels" -}}
{{ include "countersign.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end }}

{{- define "countersign.image" -}}
{{ printf "%s@%s" .Values.image.repository .Values.image.digest }}
{{- end }}

{{/* Secrets are mounted with mode 0440, in decimal: 288. YAML 1.1 and 1.2 read 0440 as different numbers. */}}

{{/* The engines that a service uses: names of `engines`. */}}
{{- define "countersign.engines" -}}
eventStore kafka redis{{ if .facts.postgres }} postgres{{ end }}
{{- end }}

{{- define "countersign.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
fsGroupChangePolicy: OnRootMismatch
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "countersign.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{/* Replicas at most: those of the value, and for a consumer no more than partitions. */}}
{{- define "countersign.maxReplicas" -}}
{{ min .values.autoscaling.maxReplicas .root.Values.engines.kafka.partitions }}
{{- end }}
