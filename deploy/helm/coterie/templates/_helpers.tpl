{{- define "coterie.name" -}}
{{ .Release.Name | trunc 50 | trimSuffix "-" }}
{{- end }}

{{- define "coterie.labels" -}}
app.kubernetes.io/name: coterie
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{- define "coterie.selector" -}}
app.kubernetes.io/name: coterie
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{/* Pod of a process. Takes root, component, resources, args, node (start of the node number) and
settings of this component alone. */}}
{{- define "coterie.pod" -}}
metadata:
  labels:
    {{- include "coterie.selector" . | nindent 4 }}
  annotations:
    checksum/settings: {{ toYaml .root.Values.settings | sha256sum }}
spec:
  automountServiceAccountToken: false
  enableServiceLinks: false
  shareProcessNamespace: true # the pause process reaps what children of tools leave behind
  terminationGracePeriodSeconds: {{ .root.Values.terminationGracePeriodSeconds }}
  securityContext:
    runAsNonRoot: true
    runAsUser: 10001
    runAsGroup: 10001
    fsGroup: 10001
    fsGroupChangePolicy: OnRootMismatch
    seccompProfile: { type: RuntimeDefault }
  {{- with .root.Values.imagePullSecrets }}
  imagePullSecrets: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .root.Values.nodeSelector }}
  nodeSelector: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .root.Values.tolerations }}
  tolerations: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .root.Values.affinity }}
  affinity: {{- toYaml . | nindent 4 }}
  {{- end }}
  topologySpreadConstraints:
    - maxSkew: 1
      topologyKey: kubernetes.io/hostname
      whenUnsatisfiable: ScheduleAnyway
      labelSelector:
        matchLabels: {{- include "coterie.selector" . | nindent 10 }}
  containers:
    - name: coterie
      image: "{{ .root.Values.image.repository }}:{{ .root.Values.image.tag | default .root.Chart.AppVersion }}"
      imagePullPolicy: {{ .root.Values.image.pullPolicy }}
      args: {{- toYaml .args | nindent 8 }}
      securityContext:
        allowPrivilegeEscalation: false
        readOnlyRootFilesystem: true
        capabilities: { drop: [ALL] }
      ports:
        - { name: http, containerPort: 8000 }
        - { name: operations, containerPort: {{ .root.Values.operations.port }} }
      env:
        - name: COTERIE_OPERATIONS__HOST
          value: "0.0.0.0"
        - name: COTERIE_OPERATIONS__PORT
          value: {{ .root.Values.operations.port | quote }}
        {{- if eq .root.Values.profile "full" }}
        # Processes without a common data directory need node numbers that are apart.
        - name: POD_INDEX
          valueFrom:
            fieldRef: { fieldPath: "metadata.labels['apps.kubernetes.io/pod-index']" }
        - name: COTERIE_NODE
          value: {{ printf "%s$(POD_INDEX)" .node | quote }}
        {{- end }}
        {{- range $name, $value := merge (dict) .settings .root.Values.settings }}
        - name: {{ $name }}
          value: {{ $value | quote }}
        {{- end }}
      {{- with .root.Values.secretName }}
      envFrom:
        - secretRef: { name: {{ . | quote }} }
      {{- end }}
      startupProbe:
        httpGet: { path: /startupz, port: operations }
        periodSeconds: 2
        timeoutSeconds: 5
        failureThreshold: 90
      readinessProbe:
        httpGet: { path: /readyz, port: operations }
        periodSeconds: 3
        timeoutSeconds: 5
        failureThreshold: 1 # the process itself forgives a first failure
      livenessProbe:
        httpGet: { path: /livez, port: operations }
        periodSeconds: 10
        timeoutSeconds: 5
        failureThreshold: 3
      resources: {{- toYaml .resources | nindent 8 }}
      volumeMounts:
        - { name: data, mountPath: /data }
        - { name: tmp, mountPath: /tmp }
  volumes:
    - name: tmp
      emptyDir: { medium: Memory, sizeLimit: 256Mi }
    {{- if eq .root.Values.profile "full" }}
    - name: data
      emptyDir: { sizeLimit: 10Gi }
    {{- end }}
{{- end }}
