package serving

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"k8s.io/apiextensions-apiserver/pkg/registry/customresource"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/generic"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/apiserver/pkg/storage"
	"k8s.io/apiserver/pkg/storage/storagebackend"
	"k8s.io/apiserver/pkg/storage/storagebackend/factory"
	"k8s.io/client-go/tools/cache"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
)

// Scaled is what the scale subresource answers, and the object that a write of it leaves.
type Scaled struct {
	Scale  any            `json:"scale,omitempty"`
	Error  *StatusError   `json:"error,omitempty"`
	Object map[string]any `json:"object,omitempty"`
}

// StatusError is an answer of the server that is no object.
type StatusError struct {
	Code    int32    `json:"code"`
	Message string   `json:"message"`
	Causes  []string `json:"causes,omitempty"`
}

func statusError(err error) *StatusError {
	var status apierrors.APIStatus
	if !errors.As(err, &status) {
		// What is no status is an internal error to the client.
		return &StatusError{Code: 500, Message: err.Error()}
	}
	out := &StatusError{Code: status.Status().Code, Message: status.Status().Message}
	if details := status.Status().Details; details != nil {
		for _, cause := range details.Causes {
			out.Causes = append(out.Causes, fmt.Sprintf("%s: %s", cause.Field, cause.Message))
		}
	}
	return out
}

// ReadScale is a GET of the scale of a stored object.
func (v *Version) ReadScale(stored []byte) (Scaled, error) {
	subresource, _, err := v.scaleOf(stored)
	if err != nil || subresource == nil {
		return Scaled{}, err
	}
	ctx := request.WithNamespace(context.Background(), "default")
	object, err := subresource.Get(ctx, "w", &metav1.GetOptions{})
	if err != nil {
		return Scaled{Error: statusError(err)}, nil
	}
	return Scaled{Scale: object}, nil
}

// WriteScale is a PUT of the scale of a stored object.
func (v *Version) WriteScale(data, stored []byte) (Scaled, error) {
	subresource, single, err := v.scaleOf(stored)
	if err != nil || subresource == nil {
		return Scaled{}, err
	}
	scale := &autoscalingv1.Scale{}
	if err := json.Unmarshal(data, scale); err != nil {
		return Scaled{}, err
	}
	ctx := request.WithNamespace(context.Background(), "default")
	object, _, err := subresource.Update(ctx, "w", rest.DefaultUpdatedObjectInfo(scale),
		rest.ValidateAllObjectFunc, rest.ValidateAllObjectUpdateFunc, false, &metav1.UpdateOptions{})
	if err != nil {
		return Scaled{Error: statusError(err)}, nil
	}
	return Scaled{Scale: object, Object: single.object.Object}, nil
}

// scaleOf is the subresource over a storage that holds one object; none where the version has no scale.
func (v *Version) scaleOf(stored []byte) (*customresource.ScaleREST, *single, error) {
	object, err := v.Read(stored)
	if err != nil {
		return nil, nil, err
	}
	single := &single{object: object}
	registry, err := v.registry(single)
	if err != nil {
		return nil, nil, err
	}
	return registry.Scale, single, nil
}

// single is a storage of one object, whatever it is asked for.
type single struct {
	storage.Interface
	object *unstructured.Unstructured
}

// restOptions makes a registry keep its objects here.
func (s *single) restOptions(resource schema.GroupResource) generic.RESTOptions {
	return generic.RESTOptions{
		StorageConfig:  (&storagebackend.Config{}).ForResource(resource),
		ResourcePrefix: resource.Resource,
		Decorator: func(*storagebackend.ConfigForResource, string, func(runtime.Object) (string, error),
			func() runtime.Object, func() runtime.Object, storage.AttrFunc, storage.IndexerFuncs, *cache.Indexers,
		) (storage.Interface, factory.DestroyFunc, error) {
			return s, func() {}, nil
		},
	}
}

func (s *single) Versioner() storage.Versioner { return storage.APIObjectVersioner{} }

func (s *single) Get(_ context.Context, _ string, _ storage.GetOptions, into runtime.Object) error {
	s.object.DeepCopyInto(into.(*unstructured.Unstructured))
	return nil
}

func (s *single) GuaranteedUpdate(_ context.Context, _ string, into runtime.Object, _ bool, preconditions *storage.Preconditions,
	update storage.UpdateFunc, _ runtime.Object) error {
	if err := preconditions.Check("", s.object); err != nil {
		return err
	}
	out, _, err := update(s.object.DeepCopyObject(), storage.ResponseMeta{ResourceVersion: 1})
	if err != nil {
		return err
	}
	s.object = out.(*unstructured.Unstructured)
	s.object.DeepCopyInto(into.(*unstructured.Unstructured))
	return nil
}
