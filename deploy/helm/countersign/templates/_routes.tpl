{{/* What is reached from outside: a host, and the service behind each path. The admin API only where the networks of the staff are named. */}}
{{- define "countersign.routes" -}}
{{- $base := urlParse .Values.urls.base }}
{{- $login := urlParse .Values.urls.login }}
{{- $app := urlParse .Values.urls.app }}
{{- $portal := urlParse .Values.urls.portal }}
{{- if has $portal.host (list $base.host $login.host $app.host) }}
{{- fail "urls.portal needs a host of its own" }}
{{- end }}
{{- $portalRules := dict "/portal" "console" "/admin" "registry" }}
{{- $_ := set $portalRules (trimSuffix "/" $portal.path | default "/") "console" }}
- name: api
  host: {{ $base.host | quote }}
  rules: { /relying-party: session-api, /login-ui: login-bff, /app: device-api }
- name: login
  host: {{ $login.host | quote }}
  rules: { {{ $login.path | default "/" | quote }}: login-bff }
- name: phone
  host: {{ $app.host | quote }}
  rules: { {{ $app.path | default "/" | quote }}: device-api }
- name: portal
  host: {{ $portal.host | quote }}
  rules: {{ $portalRules | toJson }}
  # At this host persons administrate with a session. Admin tokens are accepted only at the host of the API.
  drops: [Authorization]
- name: admin
  host: {{ $base.host | quote }}
  rules: { {{ if .Values.gateway.admin.cidrs }}/admin: registry{{ end }} }
{{- end }}
