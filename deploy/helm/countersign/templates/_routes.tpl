{{/* What is reached from outside: a host, and the service behind each path. The admin API only where the networks of the staff are named. */}}
{{- define "countersign.routes" -}}
{{- $base := urlParse .Values.urls.base }}
{{- $login := urlParse .Values.urls.login }}
{{- $app := urlParse .Values.urls.app }}
- name: api
  host: {{ $base.host | quote }}
  rules: { /relying-party: session-api, /login-ui: login-bff, /app: device-api }
- name: login
  host: {{ $login.host | quote }}
  rules: { {{ $login.path | default "/" | quote }}: login-bff }
- name: phone
  host: {{ $app.host | quote }}
  rules: { {{ $app.path | default "/" | quote }}: device-api }
- name: admin
  host: {{ $base.host | quote }}
  rules: { {{ if .Values.gateway.admin.cidrs }}/admin: registry{{ end }} }
{{- end }}
