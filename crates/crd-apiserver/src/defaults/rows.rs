//! Defaults that are constants: a table with a row for each field.

use serde_json::{Map, Value};

use super::super::metadata::is_unset;

/// The default of a field: the constant that it gets if an object has no value for it.
pub(super) struct Row {
    /// The name of the type: `apps.v1.DeploymentSpec`.
    pub(super) type_: &'static str,
    /// The path of the field in the type: `strategy.type`. Nothing is set below a field that is absent.
    pub(super) path: &'static str,
    value: Constant,
    when: When,
    /// The first minor whose servers set it; 0 for all minors.
    since: u32,
}

/// The value of a default.
#[derive(Clone, Copy)]
enum Constant {
    Text(&'static str),
    Int(i64),
    Bool(bool),
    Empty,
}

/// The condition of a default.
#[derive(Clone, Copy)]
enum When {
    Always,
    /// The field at this path has this text.
    Is(&'static str, &'static str),
    /// The field at this path is not set.
    Unset(&'static str),
}

use Constant::{Bool, Empty, Int, Text};

const fn row(type_: &'static str, path: &'static str, value: Constant) -> Row {
    Row { type_, path, value, when: When::Always, since: 0 }
}

impl Row {
    const fn when(mut self, path: &'static str, text: &'static str) -> Self {
        self.when = When::Is(path, text);
        self
    }

    const fn unless(mut self, path: &'static str) -> Self {
        self.when = When::Unset(path);
        self
    }

    const fn since(mut self, minor: u32) -> Self {
        self.since = minor;
        self
    }

    /// Sets the default in a struct of the type.
    pub(super) fn set(&self, map: &mut Map<String, Value>, minor: u32) {
        if minor < self.since || !self.when.holds(map) {
            return;
        }
        let (around, field) = self.path.rsplit_once('.').unwrap_or(("", self.path));
        let mut map = map;
        for name in around.split('.').filter(|name| !name.is_empty()) {
            let Some(Value::Object(inner)) = map.get_mut(name) else { return };
            map = inner;
        }
        if is_unset(map.get(field)) {
            map.insert(field.to_owned(), self.value.json());
        }
    }
}

impl Constant {
    fn json(self) -> Value {
        match self {
            Self::Text(text) => text.into(),
            Self::Int(int) => int.into(),
            Self::Bool(bool) => bool.into(),
            Self::Empty => Value::Object(Map::new()),
        }
    }
}

impl When {
    fn holds(self, map: &Map<String, Value>) -> bool {
        let at = |path: &str| {
            let mut names = path.split('.');
            let first = map.get(names.next()?)?;
            names.try_fold(first, |value, name| value.get(name))
        };
        match self {
            Self::Always => true,
            Self::Is(path, text) => at(path).is_some_and(|value| value == text),
            Self::Unset(path) => is_unset(at(path)),
        }
    }
}

/// The default mode of files in volumes: 0644.
const FILE_MODE: Constant = Int(0o644);

/// The defaults, in the order in which the server sets those of one type.
pub(super) const ROWS: &[Row] = &[
    row("admissionregistration.v1.MutatingWebhook", "failurePolicy", Text("Fail")),
    row("admissionregistration.v1.MutatingWebhook", "matchPolicy", Text("Equivalent")),
    row("admissionregistration.v1.MutatingWebhook", "namespaceSelector", Empty),
    row("admissionregistration.v1.MutatingWebhook", "objectSelector", Empty),
    row("admissionregistration.v1.MutatingWebhook", "timeoutSeconds", Int(10)),
    row("admissionregistration.v1.MutatingWebhook", "reinvocationPolicy", Text("Never")),
    row("admissionregistration.v1.ValidatingWebhook", "failurePolicy", Text("Fail")),
    row("admissionregistration.v1.ValidatingWebhook", "matchPolicy", Text("Equivalent")),
    row("admissionregistration.v1.ValidatingWebhook", "namespaceSelector", Empty),
    row("admissionregistration.v1.ValidatingWebhook", "objectSelector", Empty),
    row("admissionregistration.v1.ValidatingWebhook", "timeoutSeconds", Int(10)),
    row("admissionregistration.v1.RuleWithOperations", "scope", Text("*")),
    row("admissionregistration.v1.NamedRuleWithOperations", "scope", Text("*")),
    row("admissionregistration.v1.MatchResources", "matchPolicy", Text("Equivalent")),
    row("admissionregistration.v1.MatchResources", "namespaceSelector", Empty),
    row("admissionregistration.v1.MatchResources", "objectSelector", Empty),
    row("admissionregistration.v1.ValidatingAdmissionPolicySpec", "failurePolicy", Text("Fail")),
    row("admissionregistration.v1.MutatingAdmissionPolicySpec", "failurePolicy", Text("Fail")),
    row("admissionregistration.v1.ServiceReference", "port", Int(443)),
    row("apiregistration.v1.ServiceReference", "port", Int(443)),
    row("core.v1.EndpointPort", "protocol", Text("TCP")),
    row("core.v1.ReplicationControllerSpec", "replicas", Int(1)),
    row("discovery.v1.EndpointPort", "name", Text("")),
    row("discovery.v1.EndpointPort", "protocol", Text("TCP")),
    row("networking.v1.IngressClassParametersReference", "scope", Text("Cluster")),
    row("scheduling.v1.PriorityClass", "preemptionPolicy", Text("PreemptLowerPriority")),
    row("storage.v1.CSIDriverSpec", "attachRequired", Bool(true)),
    row("storage.v1.CSIDriverSpec", "podInfoOnMount", Bool(false)),
    row("storage.v1.CSIDriverSpec", "storageCapacity", Bool(false)),
    row("storage.v1.CSIDriverSpec", "fsGroupPolicy", Text("ReadWriteOnceWithFSType")),
    row("storage.v1.CSIDriverSpec", "requiresRepublish", Bool(false)),
    row("storage.v1.CSIDriverSpec", "seLinuxMount", Bool(false)),
    row("storage.v1.CSIDriverSpec", "preventPodSchedulingIfMissing", Bool(false)).since(37),
    row("storage.v1.StorageClass", "reclaimPolicy", Text("Delete")),
    row("storage.v1.StorageClass", "volumeBindingMode", Text("Immediate")),
    row("autoscaling.v1.HorizontalPodAutoscalerSpec", "minReplicas", Int(1)),
    row("autoscaling.v2.HorizontalPodAutoscalerSpec", "minReplicas", Int(1)),
    row("apps.v1.DaemonSetSpec", "updateStrategy.type", Text("RollingUpdate")),
    row("apps.v1.DaemonSetSpec", "updateStrategy.rollingUpdate", Empty)
        .when("updateStrategy.type", "RollingUpdate"),
    row("apps.v1.DaemonSetSpec", "updateStrategy.rollingUpdate.maxUnavailable", Int(1))
        .when("updateStrategy.type", "RollingUpdate"),
    row("apps.v1.DaemonSetSpec", "updateStrategy.rollingUpdate.maxSurge", Int(0))
        .when("updateStrategy.type", "RollingUpdate"),
    row("apps.v1.DaemonSetSpec", "revisionHistoryLimit", Int(10)),
    row("apps.v1.DeploymentSpec", "replicas", Int(1)),
    row("apps.v1.DeploymentSpec", "strategy.type", Text("RollingUpdate")),
    row("apps.v1.DeploymentSpec", "strategy.rollingUpdate", Empty)
        .when("strategy.type", "RollingUpdate"),
    row("apps.v1.DeploymentSpec", "strategy.rollingUpdate.maxUnavailable", Text("25%"))
        .when("strategy.type", "RollingUpdate"),
    row("apps.v1.DeploymentSpec", "strategy.rollingUpdate.maxSurge", Text("25%"))
        .when("strategy.type", "RollingUpdate"),
    row("apps.v1.DeploymentSpec", "revisionHistoryLimit", Int(10)),
    row("apps.v1.DeploymentSpec", "progressDeadlineSeconds", Int(600)),
    row("apps.v1.ReplicaSetSpec", "replicas", Int(1)),
    row("apps.v1.StatefulSetSpec", "podManagementPolicy", Text("OrderedReady")),
    row("apps.v1.StatefulSetSpec", "updateStrategy.rollingUpdate", Empty)
        .unless("updateStrategy.type"),
    row("apps.v1.StatefulSetSpec", "updateStrategy.type", Text("RollingUpdate")),
    row("apps.v1.StatefulSetSpec", "updateStrategy.rollingUpdate.partition", Int(0))
        .when("updateStrategy.type", "RollingUpdate"),
    row("apps.v1.StatefulSetSpec", "updateStrategy.rollingUpdate.maxUnavailable", Int(1))
        .when("updateStrategy.type", "RollingUpdate")
        .since(37),
    row("apps.v1.StatefulSetSpec", "persistentVolumeClaimRetentionPolicy", Empty),
    row(
        "apps.v1.StatefulSetSpec",
        "persistentVolumeClaimRetentionPolicy.whenDeleted",
        Text("Retain"),
    ),
    row(
        "apps.v1.StatefulSetSpec",
        "persistentVolumeClaimRetentionPolicy.whenScaled",
        Text("Retain"),
    ),
    row("apps.v1.StatefulSetSpec", "replicas", Int(1)),
    row("apps.v1.StatefulSetSpec", "revisionHistoryLimit", Int(10)),
    row("batch.v1.CronJobSpec", "concurrencyPolicy", Text("Allow")),
    row("batch.v1.CronJobSpec", "suspend", Bool(false)),
    row("batch.v1.CronJobSpec", "successfulJobsHistoryLimit", Int(3)),
    row("batch.v1.CronJobSpec", "failedJobsHistoryLimit", Int(1)),
    // These are rows of `Job` and not of `JobSpec`, because the job template of a cron job does not get them. Decoding
    // adds `spec` to every job.
    row("batch.v1.Job", "spec.completions", Int(1)).unless("spec.parallelism"),
    row("batch.v1.Job", "spec.parallelism", Int(1)),
    row("batch.v1.Job", "spec.backoffLimit", Int(6)).unless("spec.backoffLimitPerIndex"),
    row("batch.v1.Job", "spec.backoffLimit", Int(2_147_483_647)),
    row("batch.v1.Job", "spec.completionMode", Text("NonIndexed")),
    row("batch.v1.Job", "spec.suspend", Bool(false)),
    row("batch.v1.Job", "spec.podReplacementPolicy", Text("TerminatingOrFailed"))
        .unless("spec.podFailurePolicy"),
    row("batch.v1.Job", "spec.podReplacementPolicy", Text("Failed")),
    row("batch.v1.Job", "spec.manualSelector", Bool(false)),
    row("batch.v1.PodFailurePolicyOnPodConditionsPattern", "status", Text("True")),
    // These four rows are for 1.30. Since 1.31 the published schemas have the same defaults.
    row("core.v1.AzureDiskVolumeSource", "cachingMode", Text("ReadWrite")),
    row("core.v1.AzureDiskVolumeSource", "kind", Text("Shared")),
    row("core.v1.AzureDiskVolumeSource", "fsType", Text("ext4")),
    row("core.v1.AzureDiskVolumeSource", "readOnly", Bool(false)),
    row("core.v1.ConfigMapVolumeSource", "defaultMode", FILE_MODE),
    row("core.v1.Container", "terminationMessagePath", Text("/dev/termination-log")),
    row("core.v1.Container", "terminationMessagePolicy", Text("File")),
    row("core.v1.DownwardAPIVolumeSource", "defaultMode", FILE_MODE),
    row("core.v1.EphemeralContainer", "terminationMessagePath", Text("/dev/termination-log")),
    row("core.v1.EphemeralContainer", "terminationMessagePolicy", Text("File")),
    row("core.v1.HTTPGetAction", "path", Text("/")),
    row("core.v1.HTTPGetAction", "scheme", Text("HTTP")),
    row("core.v1.HostPathVolumeSource", "type", Text("")),
    // These two rows, too, are for 1.30.
    row("core.v1.ISCSIPersistentVolumeSource", "iscsiInterface", Text("default")),
    row("core.v1.ISCSIVolumeSource", "iscsiInterface", Text("default")),
    row("core.v1.NamespaceStatus", "phase", Text("Active")),
    row("core.v1.ObjectFieldSelector", "apiVersion", Text("v1")),
    row("core.v1.PersistentVolume", "status.phase", Text("Pending")),
    row("core.v1.PersistentVolumeSpec", "persistentVolumeReclaimPolicy", Text("Retain")),
    row("core.v1.PersistentVolumeSpec", "volumeMode", Text("Filesystem")),
    row("core.v1.PersistentVolumeClaim", "status.phase", Text("Pending")),
    row("core.v1.PersistentVolumeClaimSpec", "volumeMode", Text("Filesystem")),
    row("core.v1.Pod", "spec.enableServiceLinks", Bool(true)),
    row("core.v1.PodSpec", "dnsPolicy", Text("ClusterFirst")),
    row("core.v1.PodSpec", "restartPolicy", Text("Always")),
    row("core.v1.PodSpec", "securityContext", Empty),
    row("core.v1.PodSpec", "terminationGracePeriodSeconds", Int(30)),
    row("core.v1.PodSpec", "schedulerName", Text("default-scheduler")),
    row("core.v1.Probe", "timeoutSeconds", Int(1)),
    row("core.v1.Probe", "periodSeconds", Int(10)),
    row("core.v1.Probe", "successThreshold", Int(1)),
    row("core.v1.Probe", "failureThreshold", Int(3)),
    row("core.v1.ProjectedVolumeSource", "defaultMode", FILE_MODE),
    // These ten rows, too, are for 1.30.
    row("core.v1.RBDPersistentVolumeSource", "pool", Text("rbd")),
    row("core.v1.RBDPersistentVolumeSource", "user", Text("admin")),
    row("core.v1.RBDPersistentVolumeSource", "keyring", Text("/etc/ceph/keyring")),
    row("core.v1.RBDVolumeSource", "pool", Text("rbd")),
    row("core.v1.RBDVolumeSource", "user", Text("admin")),
    row("core.v1.RBDVolumeSource", "keyring", Text("/etc/ceph/keyring")),
    row("core.v1.ScaleIOPersistentVolumeSource", "storageMode", Text("ThinProvisioned")),
    row("core.v1.ScaleIOPersistentVolumeSource", "fsType", Text("xfs")),
    row("core.v1.ScaleIOVolumeSource", "storageMode", Text("ThinProvisioned")),
    row("core.v1.ScaleIOVolumeSource", "fsType", Text("xfs")),
    row("core.v1.Secret", "type", Text("Opaque")),
    row("core.v1.SecretVolumeSource", "defaultMode", FILE_MODE),
    row("core.v1.ServiceAccountTokenProjection", "expirationSeconds", Int(3600)),
    row("core.v1.ServiceSpec", "sessionAffinity", Text("None")),
    row("core.v1.ServiceSpec", "type", Text("ClusterIP")),
    row("core.v1.ServicePort", "protocol", Text("TCP")),
    row("networking.v1.NetworkPolicyPort", "protocol", Text("TCP")),
    row("rbac.v1.RoleRef", "apiGroup", Text("rbac.authorization.k8s.io")),
    row("rbac.v1.Subject", "apiGroup", Text("rbac.authorization.k8s.io")).when("kind", "User"),
    row("rbac.v1.Subject", "apiGroup", Text("rbac.authorization.k8s.io")).when("kind", "Group"),
    row("flowcontrol.v1.ExemptPriorityLevelConfiguration", "lendablePercent", Int(0)),
    row("flowcontrol.v1.ExemptPriorityLevelConfiguration", "nominalConcurrencyShares", Int(0)),
    row("flowcontrol.v1.LimitedPriorityLevelConfiguration", "lendablePercent", Int(0)),
    row("flowcontrol.v1.LimitedPriorityLevelConfiguration", "nominalConcurrencyShares", Int(30)),
    row("resource.v1.DeviceSubRequest", "allocationMode", Text("ExactCount")),
    row("resource.v1.ExactDeviceRequest", "allocationMode", Text("ExactCount")),
];
