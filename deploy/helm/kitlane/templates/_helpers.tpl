{{/* Labels of everything. Call with the root. */}}
{{- define "kitlane.labels" -}}
app.kubernetes.io/name: kitlane
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{/* Labels that choose the pods of a role. Call with (list root role). */}}
{{- define "kitlane.selector" -}}
app.kubernetes.io/name: kitlane
app.kubernetes.io/instance: {{ (index . 0).Release.Name }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end }}

{{/* What every pod has: no root, no rights, nothing to write but scratch files. */}}
{{- define "kitlane.pod" -}}
automountServiceAccountToken: false
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  seccompProfile: { type: RuntimeDefault }
{{- with .Values.imagePullSecrets }}
imagePullSecrets: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{ toYaml . | nindent 2 }}
{{- end }}
volumes:
  - { name: data, emptyDir: {} }
  - { name: tmp, emptyDir: {} }
{{- end }}

{{- define "kitlane.container" -}}
image: "{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}"
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
volumeMounts:
  - { name: data, mountPath: /data }
  - { name: tmp, mountPath: /tmp }
{{- end }}

{{/* The processes of one role. Call with (list root role values). */}}
{{- define "kitlane.deployment" -}}
{{- $root := index . 0 }}
{{- $role := index . 1 }}
{{- $values := index . 2 -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ $root.Release.Name }}-{{ $role }}
  labels: {{ include "kitlane.labels" $root | nindent 4 }}
    app.kubernetes.io/component: {{ $role }}
spec:
  replicas: {{ $values.replicas }}
  selector:
    matchLabels: {{ include "kitlane.selector" (list $root $role) | nindent 6 }}
  strategy:
    rollingUpdate: { maxUnavailable: 0, maxSurge: 1 }
  template:
    metadata:
      labels: {{ include "kitlane.labels" $root | nindent 8 }}
        app.kubernetes.io/component: {{ $role }}
    spec:
      {{- include "kitlane.pod" $root | nindent 6 }}
      # A process ends within 25 s of SIGTERM.
      terminationGracePeriodSeconds: 40
      topologySpreadConstraints:
        - maxSkew: 1
          topologyKey: kubernetes.io/hostname
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels: {{ include "kitlane.selector" (list $root $role) | nindent 14 }}
      containers:
        - name: kitlane
          args: [start, --no-migrate, --role, {{ $role }}]
          {{- include "kitlane.container" $root | nindent 10 }}
          ports:
            - { name: http, containerPort: 8080 }
            - { name: metrics, containerPort: 9464 }
          envFrom:
            - secretRef: { name: {{ $root.Values.nodeSecret }} }
          env:
            - { name: METRICS_PORT, value: "9464" }
            - { name: METRICS_HOST, value: 0.0.0.0 }
            # The service forgets a pod that ends only after a moment.
            - { name: STOP_DELAY_SECONDS, value: "5" }
            {{- range $name, $value := $root.Values.settings }}
            - { name: {{ $name }}, value: {{ $value | quote }} }
            {{- end }}
          startupProbe:
            httpGet: { path: /health/live, port: metrics }
            periodSeconds: 2
            failureThreshold: 60
          livenessProbe:
            httpGet: { path: /health/live, port: metrics }
            periodSeconds: 10
            timeoutSeconds: 5
          # An outage of the database makes it not ready, and does not restart it.
          readinessProbe:
            httpGet: { path: /health/ready, port: metrics }
            periodSeconds: 5
            timeoutSeconds: 5
          resources: {{ toYaml $values.resources | nindent 12 }}
{{- end }}
