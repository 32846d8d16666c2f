{{/* What is reached from outside: a host, and the service behind each path. The admin API only where the networks of the staff are named. */}}
{{- define "countersign.routes" -}}
{{- $base := urlParse .Values.urls.base }}
{{- $login := urlParse .Values.urls.login }}
{{- $app := urlParse .Values.urls.app }}
{{- $portal := urlParse .Values.urls.portal }}
{{- if has $portal.host (list $base.host $login.host $app.host) }}
{{- fail "urls.portal needs a host of its own" }}
{{- end }}
{{- if has $app.host (list $base.host $login.host) }}
{{- fail "urls.app needs a host of its own" }}
{{- end }}
{{- $portalRules := dict "/portal" "console" "/admin" "registry" }}
{{- $_ := set $portalRules (trimSuffix "/" $portal.path | default "/") "console" }}
{{- $_ := set $portalRules "/" "console" }}
{{- $loginRules := dict ($login.path | default "/") "login-bff" }}
{{- if ne $login.host $base.host }}
{{- $_ := set $loginRules "/" "login-bff" }}
{{- end }}
{{- $appRules := dict ($app.path | default "/") "device-api" }}
{{- $_ := set $appRules "/" "device-api" }}
- name: api
  host: {{ $base.host | quote }}
  # A path that no service has is answered by one of them, as by one process, and not by the controller.
  rules: { /: session-api, /relying-party: session-api, /login-ui: login-bff, /openid: openid, /.well-known/oauth-authorization-server: openid, /app: device-api }
- name: login
  host: {{ $login.host | quote }}
  rules: {{ $loginRules | toJson }}
- name: phone
  host: {{ $app.host | quote }}
  rules: {{ $appRules | toJson }}
- name: portal
  host: {{ $portal.host | quote }}
  rules: {{ $portalRules | toJson }}
  # At this host persons administrate with a session. Admin tokens are accepted only at the host of the API.
  drops: [Authorization]
- name: admin
  host: {{ $base.host | quote }}
  rules: { {{ if .Values.gateway.admin.cidrs }}/admin: registry{{ end }} }
{{- end }}
