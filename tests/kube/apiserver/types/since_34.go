//go:build !before1_34

package main

import (
	resource "k8s.io/api/resource/v1"
	storage "k8s.io/api/storage/v1"
)

func init() {
	roots = append(roots,
		resource.DeviceClass{}, resource.ResourceClaim{}, resource.ResourceClaimTemplate{}, resource.ResourceSlice{},
		storage.VolumeAttributesClass{})
}
