//! Types of k8s-openapi.
//!
//! Types that serialize to something other than an object with their fields, such as `Quantity`, have a schema here.
//! The schemas of the others are converted by the `bridge` from those that k8s-openapi has for schemars.

use k8s_openapi::ByteString;
use k8s_openapi::api::{apps, autoscaling, batch, core, networking, policy, rbac};
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions;
use k8s_openapi::apimachinery::pkg::api::resource::Quantity;
use k8s_openapi::apimachinery::pkg::apis::meta;
use k8s_openapi::apimachinery::pkg::runtime::RawExtension;
use k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;

use super::k8s_schema::{bytes, int_or_string, quantity};
use super::{Shape, ShapeKind, any, bridge, meta_shapes, schema_of};
use crate::builder::{IntoSchema, formatted};
use crate::model::JsonSchemaProps;

schema_of! {
    Quantity: ShapeKind::IntOrString as Shape::quantity() => quantity();
    IntOrString: ShapeKind::IntOrString => int_or_string();
    RawExtension: ShapeKind::Any => any();
    ByteString: ShapeKind::String as Shape::of(ShapeKind::String).formatted("byte"), Bytes => bytes();
    meta::v1::Time: ShapeKind::String as Shape::of(ShapeKind::String).formatted("date-time"), Timestamp => formatted("date-time");
    meta::v1::MicroTime: ShapeKind::String as Shape::of(ShapeKind::String).formatted("date-time"), Timestamp => formatted("date-time");
    meta::v1::FieldsV1: ShapeKind::Any => any();
    apiextensions::v1::JSON: ShapeKind::Any => any();
}

/// Implements `CrdSchema` for types whose schema the bridge converts.
macro_rules! bridged {
    ($($module:path: $($name:ident)*;)*) => {$($(
        const _: () = {
            use $module as module;
            impl super::CrdSchema for module::$name {
                const SHAPE: super::Shape = super::Shape::of(ShapeKind::Opaque);

                fn schema() -> JsonSchemaProps {
                    bridge::cached::<module::$name>().into_schema()
                }
            }
        };
    )*)*};
}

/// Calls a macro with the types whose schema the bridge converts.
macro_rules! bridged_types {
    ($each:ident) => {
        $each! {
            apps::v1:
                DaemonSetSpec DaemonSetUpdateStrategy DeploymentSpec DeploymentStrategy
                RollingUpdateDaemonSet RollingUpdateDeployment RollingUpdateStatefulSetStrategy
                StatefulSetOrdinals StatefulSetPersistentVolumeClaimRetentionPolicy StatefulSetSpec
                StatefulSetUpdateStrategy;
            autoscaling::v2:
                ContainerResourceMetricSource CrossVersionObjectReference ExternalMetricSource
                HPAScalingPolicy HPAScalingRules HorizontalPodAutoscalerBehavior
                HorizontalPodAutoscalerSpec MetricIdentifier MetricSpec MetricTarget
                ObjectMetricSource PodsMetricSource ResourceMetricSource;
            batch::v1:
                CronJobSpec JobSpec JobTemplateSpec PodFailurePolicy
                PodFailurePolicyOnExitCodesRequirement PodFailurePolicyOnPodConditionsPattern
                PodFailurePolicyRule SuccessPolicy SuccessPolicyRule;
            core::v1:
                AWSElasticBlockStoreVolumeSource Affinity AppArmorProfile AzureDiskVolumeSource
                AzureFilePersistentVolumeSource AzureFileVolumeSource CSIPersistentVolumeSource
                CSIVolumeSource Capabilities CephFSPersistentVolumeSource CephFSVolumeSource
                CinderPersistentVolumeSource CinderVolumeSource ClientIPConfig
                ClusterTrustBundleProjection ConfigMap ConfigMapEnvSource ConfigMapKeySelector
                ConfigMapProjection ConfigMapVolumeSource Container ContainerPort
                ContainerResizePolicy ContainerState ContainerStateRunning ContainerStateTerminated
                ContainerStateWaiting ContainerStatus ContainerUser DownwardAPIProjection
                DownwardAPIVolumeFile DownwardAPIVolumeSource EmptyDirVolumeSource EnvFromSource
                EnvVar EnvVarSource EphemeralContainer EphemeralVolumeSource ExecAction
                FCVolumeSource FlexPersistentVolumeSource FlexVolumeSource FlockerVolumeSource
                GCEPersistentDiskVolumeSource GRPCAction GitRepoVolumeSource
                GlusterfsPersistentVolumeSource GlusterfsVolumeSource HTTPGetAction HTTPHeader
                HostAlias HostIP HostPathVolumeSource ISCSIPersistentVolumeSource ISCSIVolumeSource
                ImageVolumeSource KeyToPath Lifecycle LifecycleHandler LimitRangeItem LimitRangeSpec
                LinuxContainerUser LoadBalancerIngress LoadBalancerStatus LocalObjectReference
                LocalVolumeSource ModifyVolumeStatus NFSVolumeSource NodeAffinity NodeSelector
                NodeSelectorRequirement NodeSelectorTerm ObjectFieldSelector ObjectReference
                PersistentVolumeClaim PersistentVolumeClaimCondition PersistentVolumeClaimSpec
                PersistentVolumeClaimStatus PersistentVolumeClaimTemplate
                PersistentVolumeClaimVolumeSource PersistentVolumeSpec
                PhotonPersistentDiskVolumeSource Pod PodAffinity PodAffinityTerm PodAntiAffinity
                PodCondition PodDNSConfig PodDNSConfigOption PodIP PodOS PodReadinessGate
                PodResourceClaim PodResourceClaimStatus PodSchedulingGate PodSecurityContext PodSpec
                PodStatus PodTemplateSpec PortStatus PortworxVolumeSource PreferredSchedulingTerm
                Probe ProjectedVolumeSource QuobyteVolumeSource RBDPersistentVolumeSource
                RBDVolumeSource ResourceClaim ResourceFieldSelector ResourceHealth ResourceQuotaSpec
                ResourceRequirements ResourceStatus SELinuxOptions ScaleIOPersistentVolumeSource
                ScaleIOVolumeSource ScopeSelector ScopedResourceSelectorRequirement SeccompProfile
                Secret SecretEnvSource SecretKeySelector SecretProjection SecretReference
                SecretVolumeSource SecurityContext Service ServiceAccountTokenProjection ServicePort
                ServiceSpec ServiceStatus SessionAffinityConfig SleepAction
                StorageOSPersistentVolumeSource StorageOSVolumeSource Sysctl TCPSocketAction
                Toleration TopologySpreadConstraint TypedLocalObjectReference TypedObjectReference
                Volume VolumeDevice VolumeMount VolumeMountStatus VolumeNodeAffinity
                VolumeProjection VolumeResourceRequirements VsphereVirtualDiskVolumeSource
                WeightedPodAffinityTerm WindowsSecurityContextOptions;
            networking::v1:
                HTTPIngressPath HTTPIngressRuleValue IPBlock IngressBackend IngressRule
                IngressServiceBackend IngressSpec IngressTLS NetworkPolicyEgressRule
                NetworkPolicyIngressRule NetworkPolicyPeer NetworkPolicyPort NetworkPolicySpec
                ServiceBackendPort;
            policy::v1:
                PodDisruptionBudgetSpec;
            rbac::v1:
                PolicyRule RoleRef Subject;
            meta::v1:
                LabelSelector LabelSelectorRequirement;
        }

        // Types that older versions of Kubernetes do not have. A feature of k8s-openapi selects the version.
        k8s_openapi::k8s_if_ge_1_34! {
            $each! {
                core::v1:
                    ContainerExtendedResourceRequest ContainerRestartRule
                    ContainerRestartRuleOnExitCodes FileKeySelector PodCertificateProjection
                    PodExtendedResourceClaimStatus;
            }
        }

        k8s_openapi::k8s_if_ge_1_36! {
            $each! {
                core::v1:
                    ImageVolumeStatus NodeAllocatableResourceClaimStatus PodSchedulingGroup
                    VolumeStatus;
            }
        }

        k8s_openapi::k8s_if_ge_1_37! {
            $each! {
                batch::v1:
                    JobSchedulingConfiguration;
                core::v1:
                    EvictionResponder NodeAllocatableMappedResources NodeAllocatableOverheadResources
                    PodVolumeHealth VolumeHealthCondition VolumeHealthStatus;
            }
        }
    };
}
pub(crate) use bridged_types;

bridged_types! { bridged }

/// As `bridged`, with a shape, because printer columns and keys of `map` lists often refer to fields of these types.
macro_rules! bridged_with_shape {
    ($($name:ident: $shape:expr $(, $cel:expr)?;)*) => {$(
        impl super::CrdSchema for meta::v1::$name {
            const SHAPE: Shape = $shape;
            $(const AS_FIELD: &'static super::FieldType =
                &super::FieldType::of::<Self>().declared($cel);)?

            fn schema() -> JsonSchemaProps {
                bridge::schema::<meta::v1::$name>().into_schema()
            }
        }
    )*};
}

bridged_with_shape! {
    Condition: meta_shapes::CONDITION, meta_shapes::CONDITION_DECLARATION;
    ManagedFieldsEntry: meta_shapes::MANAGED_FIELDS_ENTRY;
    ObjectMeta: meta_shapes::OBJECT_META;
    OwnerReference: meta_shapes::OWNER_REFERENCE;
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::crd_schema::{CrdSchema, FieldPresence};

    #[track_caller]
    fn check<T: CrdSchema>() {
        let schema = T::schema();
        let fields = T::SHAPE.fields;
        let names: BTreeSet<_> = fields.iter().map(|field| field.name.to_owned()).collect();
        let properties = schema.properties.unwrap_or_default();
        assert_eq!(names, properties.into_keys().collect());
        let required = fields.iter().filter(|field| field.presence == FieldPresence::Required);
        let required: BTreeSet<_> = required.map(|field| field.name.to_owned()).collect();
        assert_eq!(required, schema.required.unwrap_or_default().into_iter().collect());
    }

    #[test]
    fn meta_shapes_are_those_of_the_schemas() {
        check::<meta::v1::Condition>();
        check::<meta::v1::ManagedFieldsEntry>();
        check::<meta::v1::OwnerReference>();
        check::<meta::v1::ObjectMeta>();
    }
}
