// Command types prints what the API server knows of the Go types of built-in kinds: the fields in which their objects
// are decoded and encoded, and the facts that its OpenAPI documents state beyond the types.
//
// A line that begins a struct is its name, one that begins with a space is a field of it:
//
//	core.v1.ContainerPort
//	 containerPort int32 r d=0
//	 protocol core.v1.Protocol o d="TCP"
//
// After the name and the Go type of a field come:
//
//	o             `omitempty`
//	z             `omitzero`
//	r             required
//	n=NUMBER      the number of the field in Protocol Buffers, after those of the structs that it is inlined from
//	in=NAME       the struct that the field is inlined from
//	d=JSON        the default that is published
//	l=TYPE        the type of the list
//	k=NAMES       the keys of the list
//	m=TYPE        the type of the map
//	p=STRATEGIES  the patch strategies
//	pk=NAME       the key by which a patch merges the list
//
// Other types are a line of their own. An enum has its values, and their descriptions with `␣` for each space:
//
//	core.v1.Protocol = string e="SCTP","TCP","UDP" t="␣-␣`\"SCTP\"`␣is␣the␣SCTP␣protocol.␣..."
//	core.v1.ResourceList = map[core.v1.ResourceName]resource.Quantity
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"reflect"
	"sort"
	"strings"

	admissionregistration "k8s.io/api/admissionregistration/v1"
	apps "k8s.io/api/apps/v1"
	authentication "k8s.io/api/authentication/v1"
	authorization "k8s.io/api/authorization/v1"
	autoscaling "k8s.io/api/autoscaling/v1"
	autoscaling2 "k8s.io/api/autoscaling/v2"
	batch "k8s.io/api/batch/v1"
	certificates "k8s.io/api/certificates/v1"
	coordination "k8s.io/api/coordination/v1"
	core "k8s.io/api/core/v1"
	discovery "k8s.io/api/discovery/v1"
	events "k8s.io/api/events/v1"
	flowcontrol "k8s.io/api/flowcontrol/v1"
	networking "k8s.io/api/networking/v1"
	node "k8s.io/api/node/v1"
	policy "k8s.io/api/policy/v1"
	rbac "k8s.io/api/rbac/v1"
	scheduling "k8s.io/api/scheduling/v1"
	storage "k8s.io/api/storage/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	apiregistration "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
	"k8s.io/kube-openapi/pkg/common"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"k8s.io/kubernetes/pkg/generated/openapi"
)

var roots = []any{
	admissionregistration.MutatingWebhookConfiguration{}, admissionregistration.ValidatingAdmissionPolicy{},
	admissionregistration.ValidatingAdmissionPolicyBinding{}, admissionregistration.ValidatingWebhookConfiguration{},
	apiregistration.APIService{},
	apps.ControllerRevision{}, apps.DaemonSet{}, apps.Deployment{}, apps.ReplicaSet{}, apps.StatefulSet{},
	authentication.SelfSubjectReview{}, authentication.TokenRequest{}, authentication.TokenReview{},
	authorization.LocalSubjectAccessReview{}, authorization.SelfSubjectAccessReview{},
	authorization.SelfSubjectRulesReview{}, authorization.SubjectAccessReview{},
	autoscaling.HorizontalPodAutoscaler{}, autoscaling.HorizontalPodAutoscalerCondition{}, autoscaling.MetricSpec{},
	autoscaling.MetricStatus{}, autoscaling.Scale{}, autoscaling2.HorizontalPodAutoscaler{},
	batch.CronJob{}, batch.Job{},
	certificates.CertificateSigningRequest{},
	coordination.Lease{},
	core.Binding{}, core.ComponentStatus{}, core.ConfigMap{}, core.Endpoints{}, core.Event{}, core.LimitRange{}, core.Namespace{}, core.Node{},
	core.PersistentVolume{}, core.PersistentVolumeClaim{}, core.Pod{}, core.PodTemplate{}, core.ReplicationController{}, core.ResourceQuota{},
	core.Secret{}, core.Service{}, core.ServiceAccount{},
	discovery.EndpointSlice{},
	events.Event{},
	flowcontrol.FlowSchema{}, flowcontrol.PriorityLevelConfiguration{},
	meta.DeleteOptions{},
	networking.Ingress{}, networking.IngressClass{}, networking.NetworkPolicy{},
	node.RuntimeClass{},
	policy.Eviction{}, policy.PodDisruptionBudget{},
	rbac.ClusterRole{}, rbac.ClusterRoleBinding{}, rbac.Role{}, rbac.RoleBinding{},
	scheduling.PriorityClass{},
	storage.CSIDriver{}, storage.CSINode{}, storage.CSIStorageCapacity{}, storage.StorageClass{},
	storage.VolumeAttachment{},
}

// opaque are the types that decode themselves.
var opaque = map[string]bool{
	"resource.Quantity": true, "intstr.IntOrString": true, "runtime.RawExtension": true,
	"meta.v1.Time": true, "meta.v1.MicroTime": true, "meta.v1.FieldsV1": true, "meta.v1.Duration": true,
}

var (
	schemas = map[string]spec.Schema{}
	texts   = map[string]string{}
	enums   = map[string]string{}
)

func main() {
	// Older servers name the schemas as Go names the types.
	for name, definition := range openapi.GetOpenAPIDefinitions(func(path string) spec.Ref { return spec.Ref{} }) {
		schemas[schemaName(name)] = schemaOf(definition)
	}
	for _, root := range roots {
		walk(reflect.TypeOf(root))
	}
	names := make([]string, 0, len(texts))
	for name := range texts {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		fmt.Print(texts[name])
		if values := enums[name]; values != "" {
			fmt.Print(" e=", values)
		}
		fmt.Println()
	}
}

func schemaOf(definition common.OpenAPIDefinition) spec.Schema {
	if definition.Schema.Extensions == nil {
		return definition.Schema
	}
	return definition.Schema
}

// schemaName turns `io.k8s.api.core.v1.Pod` and `k8s.io/api/core/v1.Pod` into `core.v1.Pod`.
func schemaName(name string) string {
	parts := strings.Split(strings.ReplaceAll(name, "/", "."), ".")
	if len(parts) < 3 {
		return name
	}
	return strings.Join(parts[len(parts)-3:], ".")
}

// name returns the short name of a named type: `core.v1.Pod`, `resource.Quantity`.
func name(t reflect.Type) string {
	parts := strings.Split(t.PkgPath(), "/")
	last := parts[len(parts)-1]
	if strings.HasPrefix(last, "v1") || strings.HasPrefix(last, "v2") {
		last = parts[len(parts)-2] + "." + last
	}
	return last + "." + t.Name()
}

// walk adds the lines of a type and of the types that it refers to, and returns the type as fields name it.
func walk(t reflect.Type) string {
	switch {
	case t.Kind() == reflect.Pointer:
		return "*" + walk(t.Elem())
	case t.PkgPath() == "" && t.Kind() == reflect.Slice:
		return "[]" + walk(t.Elem())
	case t.PkgPath() == "" && t.Kind() == reflect.Map:
		return "map[" + walk(t.Key()) + "]" + walk(t.Elem())
	case t.PkgPath() == "":
		return t.String()
	}
	name := name(t)
	if _, known := texts[name]; known || opaque[name] {
		return name
	}
	texts[name] = ""
	switch t.Kind() {
	case reflect.Struct:
		schema := schemas[name]
		lines := []string{name + facts(schema, "")}
		fields(t, place{}, schema, &lines)
		texts[name] = strings.Join(lines, "\n")
	case reflect.Slice:
		texts[name] = name + " = []" + walk(t.Elem())
	case reflect.Map:
		texts[name] = name + " = map[" + walk(t.Key()) + "]" + walk(t.Elem())
	default:
		texts[name] = name + " = " + t.Kind().String()
	}
	return name
}

// place is where the fields of a struct stand in the outermost one.
type place struct {
	// inlined has the names of the structs between both: `Volume.VolumeSource`.
	inlined string
	// numbers has the numbers of these structs in Protocol Buffers, each with a point: `2.`.
	numbers string
}

// number returns the number of a field in Protocol Buffers; empty if it is not part of them.
func number(field reflect.StructField) string {
	words := strings.Split(field.Tag.Get("protobuf"), ",")
	if len(words) < 2 {
		return ""
	}
	return words[1]
}

func fields(t reflect.Type, at place, schema spec.Schema, lines *[]string) {
	for i := range t.NumField() {
		field := t.Field(i)
		json, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		if json == "-" {
			continue
		}
		if json == "" && field.Anonymous {
			in := place{inlined: "TypeMeta"}
			if field.Name != "TypeMeta" {
				in.inlined = strings.TrimPrefix(at.inlined+"."+field.Name, ".")
				in.numbers = at.numbers + number(field) + "."
			}
			fields(field.Type, in, schema, lines)
			continue
		}
		line := " " + json + " " + walk(field.Type)
		for _, option := range strings.Split(options, ",") {
			switch option {
			case "omitempty":
				line += " o"
			case "omitzero":
				line += " z"
			}
		}
		for _, required := range schema.Required {
			if required == json {
				line += " r"
			}
		}
		if number := number(field); number != "" && at.inlined != "TypeMeta" {
			line += " n=" + at.numbers + number
		}
		if at.inlined != "" {
			line += " in=" + at.inlined
		}
		property := schema.Properties[json]
		if values := property.Enum; len(values) > 0 {
			enum(field.Type, values, property.Description)
		}
		if property.Items != nil && property.Items.Schema != nil && len(property.Items.Schema.Enum) > 0 {
			enum(field.Type, property.Items.Schema.Enum, property.Description)
		}
		*lines = append(*lines, line+facts(property, field.Name))
	}
}

// facts returns what a schema states beyond the type.
func facts(schema spec.Schema, field string) string {
	text := ""
	if schema.Default != nil && field != "" {
		text += " d=" + compact(schema.Default)
	}
	for _, extension := range [][2]string{
		{"list-type", "l"}, {"list-map-keys", "k"}, {"map-type", "m"}, {"patch-strategy", "p"}, {"patch-merge-key", "pk"},
	} {
		switch value := schema.Extensions["x-kubernetes-"+extension[0]].(type) {
		case string:
			text += " " + extension[1] + "=" + value
		case []any:
			keys := []string{}
			for _, key := range value {
				keys = append(keys, key.(string))
			}
			text += " " + extension[1] + "=" + strings.Join(keys, ",")
		case []string:
			text += " " + extension[1] + "=" + strings.Join(value, ",")
		}
	}
	return text
}

// enum notes the values of the named type that a field holds, and what the description of the field says of them.
func enum(t reflect.Type, values []any, description string) {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	all := []string{}
	for _, value := range values {
		all = append(all, compact(value))
	}
	facts := strings.Join(all, ",")
	if _, text, found := strings.Cut(description, "Possible enum values:\n"); found {
		facts += " t=" + strings.ReplaceAll(compact(text), " ", "␣")
	}
	enums[name(t)] = facts
}

func compact(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		log.Fatal(err)
	}
	return string(text)
}
