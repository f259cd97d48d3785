// Package serving answers for one CustomResourceDefinition what kube-apiserver answers, with its own code.
//
// It enters behind the HTTP layer: decoding, strategy and table conversion. There is no storage but for scales, no
// name generation, no admission plugin and no managed fields.
package serving

import (
	"context"
	"encoding/json"
	"fmt"
	"sort"
	"strings"
	"sync"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/install"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	definitionvalidation "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apiextensions-apiserver/pkg/crdserverscheme"
	"k8s.io/apiextensions-apiserver/pkg/registry/customresource"
	"k8s.io/apiextensions-apiserver/pkg/registry/customresource/tableconvertor"
	"k8s.io/apiextensions-apiserver/pkg/registry/customresourcedefinition"
	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	apipath "k8s.io/apimachinery/pkg/api/validation/path"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/util/validation/field"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/registry/rest"
	kjson "sigs.k8s.io/json"
)

var (
	scheme = runtime.NewScheme()
	codecs serializer.CodecFactory
)

func init() {
	install.Install(scheme)
	codecs = serializer.NewCodecFactory(scheme)
}

// FieldError is one error of one field.
type FieldError struct {
	Type   string `json:"type"`
	Field  string `json:"field"`
	Detail string `json:"detail"`
	Error  string `json:"error"`
}

// FieldErrors renders errors sorted by field, type and detail: the server walks maps, its order is chance.
func FieldErrors(list field.ErrorList) []FieldError {
	out := make([]FieldError, 0, len(list))
	for _, err := range list {
		out = append(out, FieldError{string(err.Type), err.Field, err.Detail, err.Error()})
	}
	sort.SliceStable(out, func(i, j int) bool {
		a, b := out[i], out[j]
		if a.Field != b.Field {
			return a.Field < b.Field
		}
		if a.Type != b.Type {
			return a.Type < b.Type
		}
		return a.Detail < b.Detail
	})
	return out
}

// DecodeDefinition decodes a definition as a write request is decoded, with the v1 defaults applied.
func DecodeDefinition(data []byte) (*apiextensions.CustomResourceDefinition, error) {
	// A definition that names no kind is read as the only kind asked for, as a stored one is.
	gvk := apiextensionsv1.SchemeGroupVersion.WithKind("CustomResourceDefinition")
	obj, _, err := codecs.UniversalDecoder(apiextensions.SchemeGroupVersion).Decode(data, &gvk, nil)
	if err != nil {
		return nil, err
	}
	crd, ok := obj.(*apiextensions.CustomResourceDefinition)
	if !ok {
		return nil, fmt.Errorf("not a CustomResourceDefinition: %T", obj)
	}
	return crd, nil
}

// Definition is the verdict on a definition.
type Definition struct {
	DecodeError string       `json:"decodeError,omitempty"`
	Errors      []FieldError `json:"errors"`
	Warnings    []string     `json:"warnings"`
	// Rules are how its rules compiled, where that was asked for.
	Rules []Rule `json:"rules,omitempty"`
}

// CheckDefinition creates a definition, or updates old to it.
func CheckDefinition(data, old []byte) Definition {
	ctx := context.Background()
	crd, err := DecodeDefinition(data)
	if err != nil {
		return Definition{DecodeError: err.Error()}
	}
	strategy := customresourcedefinition.NewStrategy(scheme)
	if len(old) == 0 {
		strategy.PrepareForCreate(ctx, crd)
		return Definition{Errors: FieldErrors(strategy.Validate(ctx, crd)), Warnings: strategy.WarningsOnCreate(ctx, crd)}
	}
	oldCRD, err := DecodeDefinition(old)
	if err != nil {
		return Definition{DecodeError: "old: " + err.Error()}
	}
	strategy.PrepareForUpdate(ctx, crd, oldCRD)
	return Definition{
		Errors:   FieldErrors(strategy.ValidateUpdate(ctx, crd, oldCRD)),
		Warnings: strategy.WarningsOnUpdate(ctx, crd, oldCRD),
	}
}

// Version serves one version of one definition.
type Version struct {
	gvk        schema.GroupVersionKind
	structural *structuralschema.Structural
	strategy   customResourceStrategy
	status     statusStrategy
	celCost    func() *cel.Validator
	registry   func(*single) (customresource.CustomResourceStorage, error)
	table      []apiextensionsv1.CustomResourceColumnDefinition
}

type customResourceStrategy interface {
	PrepareForCreate(ctx context.Context, obj runtime.Object)
	Validate(ctx context.Context, obj runtime.Object) field.ErrorList
	WarningsOnCreate(ctx context.Context, obj runtime.Object) []string
	statusStrategy
}

type statusStrategy interface {
	PrepareForUpdate(ctx context.Context, obj, old runtime.Object)
	ValidateUpdate(ctx context.Context, obj, old runtime.Object) field.ErrorList
	WarningsOnUpdate(ctx context.Context, obj, old runtime.Object) []string
}

// Serve prepares a version as crdHandler does when the first request for it arrives.
func Serve(data []byte, version string) (*Version, error) {
	internal, err := DecodeDefinition(data)
	if err != nil {
		return nil, err
	}
	crd := &apiextensionsv1.CustomResourceDefinition{}
	if err := scheme.Convert(internal, crd, nil); err != nil {
		return nil, err
	}
	var v *apiextensionsv1.CustomResourceDefinitionVersion
	for i := range crd.Spec.Versions {
		if crd.Spec.Versions[i].Name == version {
			v = &crd.Spec.Versions[i]
		}
	}
	if v == nil {
		return nil, fmt.Errorf("no version %q", version)
	}
	gvk := schema.GroupVersionKind{Group: crd.Spec.Group, Version: version, Kind: crd.Spec.Names.Kind}

	var structural *structuralschema.Structural
	var props *apiextensions.JSONSchemaProps
	if v.Schema != nil {
		out := &apiextensions.CustomResourceValidation{}
		if err := apiextensionsv1.Convert_v1_CustomResourceValidation_To_apiextensions_CustomResourceValidation(v.Schema, out, nil); err != nil {
			return nil, err
		}
		props = out.OpenAPIV3Schema
		if structural, err = structuralschema.NewStructural(props); err != nil {
			return nil, err
		}
		structural = structural.DeepCopy()
		if err := defaulting.PruneDefaults(structural); err != nil {
			return nil, err
		}
	}
	validator, _, err := validation.NewSchemaValidator(props)
	if err != nil {
		return nil, err
	}
	var statusValidator validation.SchemaValidator
	var status *apiextensions.CustomResourceSubresourceStatus
	var scale *apiextensions.CustomResourceSubresourceScale
	if v.Subresources != nil && v.Subresources.Status != nil {
		status = &apiextensions.CustomResourceSubresourceStatus{}
		if props != nil {
			if statusSchema, ok := props.Properties["status"]; ok {
				if statusValidator, _, err = validation.NewSchemaValidator(&statusSchema); err != nil {
					return nil, err
				}
			}
		}
	}
	if v.Subresources != nil && v.Subresources.Scale != nil {
		scale = &apiextensions.CustomResourceSubresourceScale{
			SpecReplicasPath:   v.Subresources.Scale.SpecReplicasPath,
			StatusReplicasPath: v.Subresources.Scale.StatusReplicasPath,
			LabelSelectorPath:  v.Subresources.Scale.LabelSelectorPath,
		}
	}
	strategy := customresource.NewStrategy(crdserverscheme.NewUnstructuredObjectTyper(),
		crd.Spec.Scope == apiextensionsv1.NamespaceScoped, gvk, validator, statusValidator, structural, status, scale, v.SelectableFields)
	columns := v.AdditionalPrinterColumns
	if len(columns) == 0 {
		columns = []apiextensionsv1.CustomResourceColumnDefinition{{Name: "Age", Type: "date",
			Description: metav1.ObjectMeta{}.SwaggerDoc()["creationTimestamp"], JSONPath: ".metadata.creationTimestamp"}}
	}
	return &Version{
		gvk: gvk, structural: structural, strategy: strategy, status: customresource.NewStatusStrategy(strategy),
		// The strategy has one of its own; this one is for questions about costs.
		celCost: sync.OnceValue(func() *cel.Validator {
			return cel.NewValidator(structural, true, celconfig.PerCallLimit)
		}),
		registry: func(objects *single) (customresource.CustomResourceStorage, error) {
			resource := schema.GroupResource{Group: crd.Spec.Group, Resource: crd.Spec.Names.Plural}
			list := gvk.GroupVersion().WithKind(crd.Spec.Names.ListKind)
			return newStorage(customresource.NewStorage(resource, resource, gvk, list, strategy, objects, nil,
				rest.NewDefaultTableConvertor(resource), nil))
		},
		table: columns,
	}, nil
}

// Written is the verdict on a write.
type Written struct {
	DecodeError   string         `json:"decodeError,omitempty"`
	UnknownFields []string       `json:"unknownFields,omitempty"`
	Object        map[string]any `json:"object"`
	Errors        []FieldError   `json:"errors"`
	Warnings      []string       `json:"warnings,omitempty"`
	// CELCost is what the rules used, where no error kept them from running.
	CELCost *int64 `json:"celCost,omitempty"`
}

// Decode decodes an object, after the serializer has found its kind: pruned, coerced and defaulted, with what strict field validation reports:
// duplicate keys in the decoder's words, then the paths of unknown fields.
func (v *Version) Decode(data []byte) (*unstructured.Unstructured, []string, error) {
	u, strict, err := decode(data)
	if err != nil {
		return nil, nil, err
	}
	unknown, err := v.coerce(u, false)
	if err != nil {
		return nil, nil, err
	}
	v.defaults(u)
	return u, append(strict, unknown...), nil
}

// decode reads JSON as the server does: integers are int64, and what strict decoding finds is collected.
func decode(data []byte) (*unstructured.Unstructured, []string, error) {
	object := map[string]any{}
	strictErrs, err := kjson.UnmarshalStrict(data, &object)
	if err != nil {
		return nil, nil, err
	}
	if object == nil {
		object = map[string]any{}
	}
	var strict []string
	for _, e := range strictErrs {
		strict = append(strict, e.Error())
	}
	return &unstructured.Unstructured{Object: object}, strict, nil
}

// Read reads a stored object. The storage codec of custom resources coerces it twice: before it adds defaults, and when it
// converts the object to the version of the request, which drops a null that a default contains.
func (v *Version) Read(data []byte) (*unstructured.Unstructured, error) {
	u, _, err := decode(data)
	if err != nil {
		return nil, err
	}
	if _, err := v.coerce(u, true); err != nil {
		return nil, err
	}
	v.defaults(u)
	if _, err := v.coerce(u, false); err != nil {
		return nil, err
	}
	return u, nil
}

// defaults is the server's unstructuredDefaulter, which takes the schema of the object's own version. Only that of the
// version served here is known.
func (v *Version) defaults(u *unstructured.Unstructured) {
	if u.GroupVersionKind() == v.gvk {
		defaulting.Default(u.Object, v.structural)
	}
}

// coerce is the order of the server's unstructuredSchemaCoercer; stored objects drop malformed metadata.
func (v *Version) coerce(u *unstructured.Unstructured, stored bool) ([]string, error) {
	kind, foundKind, err := unstructured.NestedString(u.Object, "kind")
	if err != nil {
		return nil, err
	}
	apiVersion, foundVersion, err := unstructured.NestedString(u.Object, "apiVersion")
	if err != nil {
		return nil, err
	}
	meta, foundMeta, unknown, err := objectmeta.GetObjectMetaWithOptions(u.Object, objectmeta.ObjectMetaOptions{
		DropMalformedFields: stored, ReturnUnknownFieldPaths: !stored,
	})
	if err != nil {
		return nil, err
	}
	gv, err := schema.ParseGroupVersion(apiVersion)
	if err != nil {
		return nil, err
	}
	if gv.Group == v.gvk.Group && kind == v.gvk.Kind {
		var structural *structuralschema.Structural
		if gv.Version == v.gvk.Version {
			structural = v.structural
		}
		unknown = append(unknown, pruning.PruneWithOptions(u.Object, structural, true,
			structuralschema.UnknownFieldPathOptions{TrackUnknownFieldPaths: !stored})...)
		defaulting.PruneNonNullableNullsWithoutDefaults(u.Object, structural)
		fieldErr, paths := objectmeta.CoerceWithOptions(nil, u.Object, structural, false, objectmeta.CoerceOptions{
			DropInvalidFields: stored, ReturnUnknownFieldPaths: !stored,
		})
		if fieldErr != nil {
			return nil, fieldErr
		}
		unknown = append(unknown, paths...)
		if stored && meta.Generation == 0 {
			meta.Generation = 1
		}
	}
	if foundKind {
		u.SetKind(kind)
	}
	if foundVersion {
		u.SetAPIVersion(apiVersion)
	}
	if foundMeta {
		if err := objectmeta.SetObjectMeta(u.Object, meta); err != nil {
			return nil, err
		}
	}
	return unknown, nil
}

// Write creates an object, or updates old to it; subresource may be "status". As the body of a request, an object of
// another version is rejected once it is decoded.
func (v *Version) Write(data, old []byte, subresource string, body, cost bool) Written {
	ctx := context.Background()
	u, unknown, err := v.Decode(data)
	if err != nil {
		return Written{DecodeError: err.Error()}
	}
	if gv := u.GroupVersionKind().GroupVersion(); body && gv != v.gvk.GroupVersion() {
		return Written{DecodeError: fmt.Sprintf(
			"the API version in the data (%s) does not match the expected API version (%s)", gv, v.gvk.GroupVersion())}
	}
	out := Written{UnknownFields: unknown}
	var stored *unstructured.Unstructured
	var errs field.ErrorList
	if len(old) == 0 {
		v.strategy.PrepareForCreate(ctx, u)
		errs = v.strategy.Validate(ctx, u)
		out.Warnings = v.strategy.WarningsOnCreate(ctx, u)
	} else {
		if stored, err = v.Read(old); err != nil {
			return Written{DecodeError: "old: " + err.Error()}
		}
		strategy := statusStrategy(v.strategy)
		if subresource == "status" {
			strategy = v.status
		}
		u.SetGeneration(stored.GetGeneration())
		strategy.PrepareForUpdate(ctx, u, stored)
		errs = append(aroundUpdate(u), strategy.ValidateUpdate(ctx, u, stored)...)
		out.Warnings = strategy.WarningsOnUpdate(ctx, u, stored)
	}
	out.Errors = FieldErrors(errs)
	out.Object = u.Object
	if cost && v.celCost() != nil && !celSkipped(errs) {
		var oldObject any
		if stored != nil {
			oldObject = stored.Object
		}
		_, remaining := v.celCost().Validate(ctx, nil, v.structural, u.Object, oldObject, celconfig.RuntimeCELCostBudget)
		used := int64(celconfig.RuntimeCELCostBudget) - remaining
		out.CELCost = &used
	}
	return out
}

// aroundUpdate is what rest.BeforeUpdate finds in metadata and the strategy passes over. The rest of it the
// strategy finds as well, or the HTTP layer has ruled out.
func aroundUpdate(u *unstructured.Unstructured) field.ErrorList {
	var errs field.ErrorList
	segment := func(name string, prefix bool) []string {
		if prefix {
			return apipath.IsValidPathSegmentPrefix(name)
		}
		return apipath.IsValidPathSegmentName(name)
	}
	for _, err := range apivalidation.ValidateObjectMetaAccessor(u, true, segment, field.NewPath("metadata")) {
		if err.Field == "metadata.generateName" || strings.HasPrefix(err.Field, "metadata.finalizers") {
			errs = append(errs, err)
		}
	}
	return errs
}

func celSkipped(errs field.ErrorList) bool {
	for _, err := range errs {
		if strings.HasPrefix(err.Detail, "some validation rules were not checked") {
			return true
		}
	}
	return false
}

// Table renders the cells of one object, after the columns' names.
func (v *Version) Table(data []byte) (columns []string, cells []any, err error) {
	u, err := v.Read(data)
	if err != nil {
		return nil, nil, err
	}
	convertor, newErr := tableconvertor.New(v.table)
	table, err := convertor.ConvertToTable(context.Background(), u, nil)
	if err != nil {
		return nil, nil, err
	}
	for _, column := range table.ColumnDefinitions {
		columns = append(columns, column.Name)
	}
	if len(table.Rows) != 1 {
		return nil, nil, fmt.Errorf("%d rows", len(table.Rows))
	}
	_ = newErr // the server falls back to the columns that parsed
	return columns, table.Rows[0].Cells, nil
}

// Rule is how the server compiled one rule.
type Rule struct {
	Path         string  `json:"path"`
	Error        string  `json:"error,omitempty"`
	MessageError string  `json:"messageError,omitempty"`
	MaxCost      uint64  `json:"maxCost"`
	MessageCost  *uint64 `json:"messageCost,omitempty"`
	// Runs is how often the rule can run in one object, where the schema bounds that.
	Runs *uint64 `json:"runs,omitempty"`
	// RequestRuns is how often it can run in a request of the greatest size.
	RequestRuns uint64 `json:"requestRuns"`
	UsesOldSelf bool   `json:"usesOldSelf"`
}

// Rules compiles every rule of a version's schema, as a write of the definition does, whatever else is wrong with it.
// There are none where the schema is not structural.
func Rules(data []byte, version string) ([]Rule, error) {
	crd, err := DecodeDefinition(data)
	if err != nil {
		return nil, err
	}
	out := []Rule{}
	validation, err := apiextensions.GetSchemaForVersion(crd, version)
	if err != nil || validation == nil || validation.OpenAPIV3Schema == nil {
		return out, err
	}
	if _, err := structuralschema.NewStructural(validation.OpenAPIV3Schema); err != nil {
		return out, nil
	}
	schema := validation.OpenAPIV3Schema
	rules(&out, field.NewPath("schema"), schema, definitionvalidation.RootCELContext(schema))
	sort.Slice(out, func(i, j int) bool { return out[i].Path < out[j].Path })
	return out, nil
}

func rules(out *[]Rule, path *field.Path, s *apiextensions.JSONSchemaProps, context *definitionvalidation.CELSchemaContext) {
	if info, err := context.TypeInfo(); len(s.XValidations) > 0 && err == nil && info != nil && info.DeclType != nil {
		results, err := cel.Compile(info.Schema, info.DeclType, celconfig.PerCallLimit,
			baseEnv(), cel.NewExpressionsEnvLoader())
		if err != nil {
			*out = append(*out, Rule{Path: path.String(), Error: err.Error()})
		}
		for i, result := range results {
			rule := Rule{Path: path.Child("x-kubernetes-validations").Index(i).String(), MaxCost: result.MaxCost,
				Runs: context.MaxCardinality, RequestRuns: result.MaxCardinality, UsesOldSelf: result.UsesOldSelf}
			if result.Error != nil {
				rule.Error = result.Error.Detail
			}
			if result.MessageExpressionError != nil {
				rule.MessageError = result.MessageExpressionError.Detail
			} else if result.MessageExpression != nil {
				rule.MessageCost = &result.MessageExpressionMaxCost
			}
			*out = append(*out, rule)
		}
	}
	if s.Items != nil && s.Items.Schema != nil {
		rules(out, path.Child("items"), s.Items.Schema, context.ChildItemsContext(s.Items.Schema))
	}
	for name, property := range s.Properties {
		rules(out, path.Child("properties").Key(name), &property, context.ChildPropertyContext(&property, name))
	}
	if s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil {
		values := s.AdditionalProperties.Schema
		rules(out, path.Child("additionalProperties"), values, context.ChildAdditionalPropertiesContext(values))
	}
}

// MustJSON renders what is known to render.
func MustJSON(value any) []byte {
	data, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return data
}
