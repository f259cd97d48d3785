//go:build !before1_35

package serving

import "k8s.io/apiserver/pkg/cel/environment"

// baseEnv is the environment that definitions are checked in.
func baseEnv() *environment.EnvSet {
	return environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion())
}
