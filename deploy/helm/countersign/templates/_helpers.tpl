{{/* The facts of all services by name. */}}
{{- define "countersign.services" -}}
{{ .Files.Get "files/services.yaml" }}
{{- end }}

{{/*
The name of an object: that of the release, then its own, which is never cut. At most 52 characters, for the pods and jobs that are named after it. A release
whose name is too long, or is no beginning of the name of a Service, is cut or changed; a hash of it keeps two such releases apart.
*/}}
{{- define "countersign.name" -}}
{{- $release := .root.Release.Name -}}
{{- $room := sub 51 (len .name) | int -}}
{{- if or (gt (len $release) $room) (not (regexMatch "^[a-z][a-z0-9-]*$" $release)) -}}
{{- $letters := regexReplaceAll "^[0-9]" (replace "." "-" $release) "r${0}" -}}
{{- printf "%s-%s-%s" (trunc (sub $room 8 | int) $letters | trimSuffix "-") (sha256sum $release | trunc 7) .name -}}
{{- else -}}
{{- printf "%s-%s" $release .name -}}
{{- end -}}
{{- end }}

{{/* The service account of all pods. */}}
{{- define "countersign.serviceAccount" -}}
{{ .Values.serviceAccount.name | default .Release.Name }}
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
