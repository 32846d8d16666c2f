{{/* Settings of all services. */}}
{{- define "countersign.settings" -}}
{{- $engines := .Values.engines -}}
ENVIRONMENT: {{ .Values.environment | quote }}
HOST: 0.0.0.0
PORT: "3000"
OPS_PORT: "9090"
DATA_DIR: /data
KEY_DIR: /run/secrets/keys
BASE_URL: {{ .Values.urls.base | quote }}
LOGIN_URL: {{ .Values.urls.login | quote }}
APP_URL: {{ .Values.urls.app | quote }}
PORTAL_URL: {{ .Values.urls.portal | quote }}
TRUSTED_PROXIES: {{ join "," .Values.trustedProxies | quote }}
ESDB_URL: {{ $engines.eventStore.url | quote }}
KAFKA_BROKERS: {{ join "," $engines.kafka.brokers | quote }}
KAFKA_PARTITIONS: {{ $engines.kafka.partitions | quote }}
KAFKA_TLS: "true"
{{- if $engines.kafka.sasl }}
KAFKA_SASL: {{ $engines.kafka.sasl | quote }}
KAFKA_USER: {{ $engines.kafka.user | quote }}
{{- end }}
REDIS_URL: {{ $engines.redis.url | quote }}
{{- range list (list "ESDB" "eventStore") (list "KAFKA" "kafka") (list "REDIS" "redis") }}
{{- include "countersign.engineFiles" (dict "prefix" (first .) "engine" (last .) "entries" (get $engines (last .)).entries) }}
{{- end }}
{{- range $name, $value := .Values.settings }}
{{ $name }}: {{ $value | quote }}
{{- end }}
{{- end }}

{{/* Settings of the services with read models. */}}
{{- define "countersign.postgresSettings" -}}
POSTGRES_URL: {{ .Values.engines.postgres.url | quote }}
{{- include "countersign.engineFiles" (dict "prefix" "POSTGRES" "engine" "postgres" "entries" .Values.engines.postgres.entries) }}
{{- end }}

{{- define "countersign.engineFiles" -}}
{{- $given := . -}}
{{- range $entry, $setting := dict "password" "PASSWORD" "ca" "CA" "certificate" "CERT" "key" "KEY" }}
{{- with get $given.entries $entry }}
{{ $given.prefix }}_{{ $setting }}_FILE: /run/secrets/{{ kebabcase $given.engine }}/{{ . }}
{{- end }}
{{- end }}
{{- end }}

{{/* Settings by name as a container's list. */}}
{{- define "countersign.environment" -}}
{{- range $name, $value := . }}
- { name: {{ $name }}, value: {{ $value | quote }} }
{{- end }}
{{- end }}
