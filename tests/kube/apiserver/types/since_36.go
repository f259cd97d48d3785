//go:build !before1_36

package main

import admissionregistration "k8s.io/api/admissionregistration/v1"

func init() {
	roots = append(roots,
		admissionregistration.MutatingAdmissionPolicy{}, admissionregistration.MutatingAdmissionPolicyBinding{})
}
