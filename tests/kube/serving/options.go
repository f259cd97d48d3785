//go:build !before1_31

package serving

import (
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/registry/generic"
)

// GetRESTOptions makes a registry keep its objects here.
func (s *single) GetRESTOptions(resource schema.GroupResource, _ runtime.Object) (generic.RESTOptions, error) {
	return s.restOptions(resource), nil
}
