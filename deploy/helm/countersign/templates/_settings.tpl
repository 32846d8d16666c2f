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

{{/* The own account of a service in an engine, if it has one: user and secret. */}}
{{- define "countersign.account" -}}
{{ get (get .root.Values.engines .engine).accounts .name | default dict | toYaml }}
{{- end }}

{{/* The secret of a service for an engine. */}}
{{- define "countersign.engineSecret" -}}
{{ (include "countersign.account" . | fromYaml).secret | default (get .root.Values.engines .engine).secret }}
{{- end }}

{{/* Settings of a service that name the users of its own accounts. */}}
{{- define "countersign.accountSettings" -}}
{{- $given := . -}}
{{- range $engine, $setting := dict "eventStore" "ESDB_URL" "kafka" "KAFKA_USER" "redis" "REDIS_URL" "postgres" "POSTGRES_URL" }}
{{- $user := (include "countersign.account" (dict "root" $given.root "name" $given.name "engine" $engine) | fromYaml).user }}
{{- if and $user (has $engine (include "countersign.engines" (dict "facts" $given.facts) | splitList " ")) }}
{{- $url := (get $given.root.Values.engines $engine).url | default "" }}
{{ $setting }}: {{ eq $engine "kafka" | ternary $user (regexReplaceAll "^([a-z+]+://)([^@/?]*@)?" $url (printf "${1}%s@" $user)) | quote }}
{{- end }}
{{- end }}
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
